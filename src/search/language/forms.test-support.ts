/** Forms of English words with their class and base form, written by hand: what the lemmas are measured against. */

const NOUNS = `
customers customer|policies policy|boxes box|addresses address|branches branch|buses bus|statuses status|cases case|
houses house|databases database|causes cause|services service|sizes size|drives drive|leaves leaf|children child|
men man|women woman|feet foot|teeth tooth|mice mouse|analyses analysis|indices index|heroes hero|movies movie|
ties tie|series series|species species|quizzes quiz|crashes crash|cities city|countries country|companies company|
categories category|employees employee|wives wife|lives life|knives knife|wolves wolf|halves half|shelves shelf|
criteria criterion|phenomena phenomenon|diagnoses diagnosis|crises crisis|theses thesis|matrices matrix|
courses course|classes class|matches match|dishes dish|taxes tax|prices price|names name|ages age|weights weight|
heights height|ratings rating|buildings building|meetings meeting|bookings booking|earnings earnings|savings savings|
news news|sheep sheep|fish fish|aircraft aircraft|photos photo|videos video|potatoes potato|stadiums stadium|
campuses campus|viruses virus|bonuses bonus|stories story|days day|keys key|toys toy|journeys journey|
universities university|libraries library|salaries salary|deliveries delivery|batteries battery|parties party|
authors author|writers writer|singers singer|actors actor|teachers teacher|students student|orders order|
invoices invoice|payments payment|physicians physician|nurses nurse|patients patient|airlines airline|flights flight|
horses horse|dogs dog|pets pet|wines wine|grapes grape|businessmen businessman|policemen policeman|firemen fireman|
salesmen salesman|chairmen chairman|spokeswomen spokeswoman|glasses glass|lenses lens|gases gas|processes process|
businesses business|losses loss|bosses boss|actresses actress|waitresses waitress|devices device|interfaces interface|
alarms alarm|routers router|cookies cookie|shoes shoe|axes axis|oxen ox|geese goose|people person`

const VERBS = `
played play|plays play|playing play|written write|wrote write|writes write|writing write|owns own|owned own|
owning own|has have|had have|having have|is be|are be|was be|were be|been be|being be|does do|did do|done do|doing do|
went go|gone go|goes go|going go|took take|taken take|takes take|taking take|made make|makes make|making make|
bought buy|buys buy|buying buy|sold sell|sells sell|selling sell|born bear|built build|builds build|found find|
finds find|founded found|left leave|leaves leave|leaving leave|lived live|lives live|living live|won win|wins win|
winning win|lost lose|loses lose|losing lose|held hold|holds hold|taught teach|teaches teach|teaching teach|
studied study|studies study|studying study|enrolled enroll|enrolls enroll|registered register|registers register|
visited visit|visiting visit|visits visit|flew fly|flies fly|flown fly|flying fly|drove drive|driven drive|
driving drive|drives drive|sang sing|sung sing|sings sing|singing sing|began begin|begun begin|begins begin|
started start|starts start|starting start|ended end|ends end|ending end|earned earn|earns earn|earning earn|paid pay|
pays pay|paying pay|ordered order|ordering order|shipped ship|ships ship|shipping ship|stopped stop|planned plan|
planning plan|hired hire|hiring hire|managed manage|manages manage|managing manage|used use|using use|uses use|
released release|published publish|publishes publish|produced produce|produces produce|directed direct|directs direct|
starred star|belonged belong|belongs belong|located locate|contains contain|contained contain|containing contain|
includes include|included include|including include|carried carry|carries carry|married marry|died die|dies die|
dying die|lying lie|tied tie|given give|gave give|gives give|got get|gets get|getting get|came come|comes come|
knew know|known know|seen see|saw see|sees see|shown show|showed show|shows show|listed list|lists list|ran run|
runs run|running run|set set|put put|cost cost|costs cost|spent spend|sent send|received receive|receives receive|
chose choose|chosen choose|spoken speak|spoke speak|broken break|broke break|grew grow|grown grow|met meet|meets meet|
fed feed|led lead|leads lead|kept keep|stayed stay|occurred occur|referred refer|preferred prefer|admitted admit|
cancelled cancel|canceled cancel|travelled travel|traveled travel|offered offer|treated treat|prescribed prescribe|
prescribes prescribe|assigned assign|borrowed borrow|rented rent|scored score|scores score|competed compete|
competes compete|participated participate|attended attend|attends attend|opened open|closed close|closes close`

const ADJECTIVES = `
older old|oldest old|younger young|youngest young|larger large|largest large|bigger big|biggest big|smaller small|
smallest small|higher high|highest high|lower low|lowest low|cheaper cheap|cheapest cheap|heavier heavy|
heaviest heavy|lighter light|lightest light|longer long|longest long|shorter short|shortest short|taller tall|
tallest tall|earlier early|earliest early|later late|latest late|newer new|newest new|better good|best good|worse bad|
worst bad|faster fast|fastest fast|slower slow|slowest slow|wider wide|widest wide|hotter hot|hottest hot|
thinner thin|richer rich|richest rich|greater great|greatest great|busier busy|busiest busy|closer close|
closest close`

export interface FormCase {
  readonly form: string
  readonly lemma: string
  readonly pos: 'noun' | 'verb' | 'adj'
}

const read = (pos: FormCase['pos'], text: string): FormCase[] =>
  text.split('|').map((pair) => {
    const [form = '', lemma = ''] = pair.trim().split(' ')
    return { form, lemma, pos }
  })

export const FORMS: readonly FormCase[] = [...read('noun', NOUNS), ...read('verb', VERBS), ...read('adj', ADJECTIVES)]
