/** The small closed word lists of the planner. Each is about English, never about a database. */

const list = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Never a term by themselves, whatever a column may be called; they may be passed over without changing the question. */
export const FUNCTION_WORDS = list(`a an the that which what is are was were be been being am do does did has have had having
  of in on at to from for with into onto about as and there their they it its our your my me us we you i he she his her him
  any can could would should will s by whose also then this some so if than within during along under through via
  such please both either`)

/** Words that add nothing unless the ontology has a term of that name. */
export const FILLERS = list(`show list find give tell display get return named called exist exists existing
  kind kinds record records entry entries corresponding respective associated together available following
  respectively just else overall listed shown present compute calculate determine identify provide print sort report fetch
  retrieve select name names among across one together possible stored recorded given specific certain different
  want know see let need like belonging belong belongs whole ever presently actually really`)

/** They bind to a state that is said beside them ("still open"); alone they ask for what no column says. */
export const NOWADAYS = list('currently still now already yet presently')

/** Written in capitals these are names: "in the US", "the IT department". */
const CAPITAL_NAMES = list('us it me am')

/** A word of a question that adds nothing to it. */
export const isGlue = ({ lower, text }: { readonly lower: string; readonly text: string }): boolean =>
  (FUNCTION_WORDS.has(lower) || FILLERS.has(lower)) && !(CAPITAL_NAMES.has(lower) && /^\p{Lu}+$/u.test(text))

/** Verbs that say no more than that two things belong together: a foreign key between them is what they mean. */
export const LINKING_VERBS = list(`have has had having own owns owned owning make makes made making use uses used using
  belong belongs belonging include includes included including contain contains get gets got take takes took taken taking
  give gives gave given
  do does did done hold holds held holding offer offers offered offering provide provides provided run runs running ran
  work works worked working live lives lived living locate located come comes came involve involved involving
  relate related associate associated assigned assign connect connected link linked participate participated participating
  appear appears appeared place placed create created sit sits stay stays stayed go goes went going affect affects affected
  affecting
  exist exists consist consists carry carries carried receive received receives join joined serve serves served
  produce produced produces write wrote written writes play played plays playing attend attended attends attending
  open opened raise raised occur occurred occurs happen happened install installed host hosted hosts depend depends
  order ordered buy bought purchase purchased book booked register registered registers enroll enrolled enrol enrolled
  teach teaches taught study studies studied manage manages managed direct directed directs
  supply concern check handle cover support represent sell sold ship deliver employ publish release issue sign perform treat
  prescribe review rent drive fly sing sang star act compete lead build design develop store speak sponsor teach advise`)

/** Nouns that head a name without saying what it is about. */
export const GENERIC_NOUNS = list(`id name code date number no num key type value description detail details info text title
  status year time`)

/** Nouns that say of the term beside them only what it is anyway: "staff member", "savings balance", "the word 'x'". */
export const WEAK_NOUNS = list(`percentage percent score member balance amount money sum history information data detail value letter
  word number figure level ratio rate unit person people individual team company group set list item total statistic database
  table system status title category type kind label term phrase string section field column attribute`)

/** Leading parts of table names that say what a table is for, not what it holds. */
export const TABLE_PREFIXES = list('ref tbl tb tab table lookup dim fact master mst t')

/** Short forms that columns are named by. */
export const ABBREVIATIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    num: 'number', no: 'number', nbr: 'number', qty: 'quantity', amt: 'amount', dept: 'department', addr: 'address',
    desc: 'description',
    dob: 'birth date', yr: 'year', emp: 'employee', cust: 'customer', prod: 'product',
    cat: 'category', org: 'organization', tel: 'telephone', dest: 'destination', src: 'source', min: 'minimum', max: 'maximum',
    avg: 'average', pct: 'percent', temp: 'temperature', lat: 'latitude', long: 'longitude', lng: 'longitude', univ: 'university',
    acc: 'account', bal: 'balance', stu: 'student', prof: 'professor', msg: 'message', pop: 'population',
    pos: 'position', loc: 'location',
    mgr: 'manager', std: 'standard', char: 'characteristic', ctr: 'center', gov: 'government', info: 'information', img: 'image',
  }),
)
