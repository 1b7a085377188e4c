/** A rule over triples in words: what follows for whom, and when. A value is called by whose it is: "the alarm's raised at". */
import { type Aggregate, type Argument, type Atom, type BodyItem, type DatalogRule, type Expr, sayExpr } from '../kernel/datalog/index.ts'
import { RDF_TYPE, classOf, isGuard, isMade, meaningOf, windowIn } from '../kernel/rdf/index.ts'
import { plural } from '../kernel/text/index.ts'
import { classWords, listed, propertyNoun, propertyWords, valueWords, verbPhrase, withArticle } from './summary-words.ts'

/** Conditions of one sentence; more than these are counted. */
const MOST = 10

/** The first clause that gives a triple; further ones are counted. */
export function clauseSummary(rules: readonly DatalogRule[], baseIri: string): string {
  const giving = rules.filter(({ head }) => isMade(head.predicate) || meaningOf(head.predicate).kind === 'property')
  const [first] = giving
  if (first === undefined) return ''
  const same = giving.filter(({ body }) => JSON.stringify(body) === JSON.stringify(first.body))
  const further = giving.length - same.length
  const speaker = new Speaker(first, rules, baseIri)
  const heads = same.map(({ head }) => speaker.conclusion(head))
  const when = speaker.conditions(first.body)
  const shown = when.length > MOST ? [...when.slice(0, MOST), `${when.length - MOST} more ${when.length - MOST === 1 ? 'condition holds' : 'conditions hold'}`] : when
  const also = further > 0 ? ` (${further} further ${further === 1 ? 'way leads' : 'ways lead'} to the same or more)` : ''
  return `${listed(heads)}${shown.length === 0 ? '' : ` when ${listed(shown)}`}${also}`
}

/** Owns what has been told already: a thing is "an alarm" when it is met and "the alarm" from then on. */
class Speaker {
  readonly #byHead: ReadonlyMap<string, readonly DatalogRule[]>
  readonly #classes: ReadonlyMap<string, string>
  readonly #nouns: ReadonlyMap<string, string>
  readonly #names = new Map<string, string>()
  /** values by whose they are, and results by how they come about */
  readonly #phrases = new Map<string, string>()
  readonly #met = new Set<string>()
  readonly #told = new Set<string>()

  constructor(rule: DatalogRule, rules: readonly DatalogRule[], baseIri: string) {
    this.#byHead = Map.groupBy(rules, ({ head }) => head.predicate)
    const { classes, nouns } = kindsIn(rule, this.#byHead, baseIri)
    this.#classes = classes
    this.#nouns = nouns
  }

  conclusion({ predicate, args }: Atom): string {
    const [subject, object, third] = args
    const cls = classOf(predicate)
    if (cls !== undefined) return `${this.#say(subject)} is ${kindWords(cls.value)}`
    if (isMade(predicate)) return `${this.#say(subject)} gets ${this.#say(object)} ${this.#say(third)}`
    const words = propertyWords(predicate)
    if (object === null || object === undefined || 'variable' in object) return this.#statement(subject, words, object)
    if (object.term.value !== 'true') return `${this.#say(subject)} gets the ${propertyNoun(predicate)} ${valueWords(object.term)}`
    return /^(?:has|is) /.test(words) ? `${this.#say(subject)} ${words}` : `${this.#say(subject)} is marked ${words}`
  }

  #statement(subject: Argument | null | undefined, words: string, object: Argument | null | undefined): string {
    const [, noun] = /^has the (.*)$/.exec(verbPhrase(words)) ?? []
    const about = this.#say(subject)
    return noun === undefined ? `${about} ${verbPhrase(words)} ${this.#say(object)}` : `${about} has ${this.#say(object)} as its ${noun}`
  }

  conditions(body: readonly BodyItem[]): string[] {
    // what is only handed on is told where it is used
    for (const item of body) if (item.kind === 'aggregate') this.#phrases.set(item.into, '')
    return body.flatMap((item) => {
      const key = JSON.stringify(item)
      if (isGuard(item) || this.#told.has(key)) return []
      this.#told.add(key)
      return this.#condition(item)
    })
  }

  #condition(item: BodyItem): string[] {
    switch (item.kind) {
      case 'atom':
        return this.#fact(item.atom)
      case 'not':
        return this.#absence(item.atom)
      case 'compare':
        return [compared(item.op, this.#say(item.left), this.#say(item.right))]
      case 'test':
        return this.#tested(item.expr)
      case 'assign': {
        const window = windowIn(item)
        if (window !== undefined) return [`they lie within ${window.seconds} s of each other`]
        this.#phrases.set(item.into, this.#sayIn(item.expr))
        return []
      }
      case 'aggregate':
        this.#phrases.set(item.into, this.#folded(item))
        return []
    }
  }

  #fact({ predicate, args }: Atom): string[] {
    const [subject, object] = args
    const cls = classOf(predicate)
    if (cls !== undefined) {
      const isNamed = subject !== null && subject !== undefined && 'variable' in subject && this.#classes.get(subject.variable) === cls.value
      return isNamed ? [] : [`${this.#say(subject)} is ${kindWords(cls.value)}`]
    }
    const meaning = meaningOf(predicate)
    if (meaning.kind === 'path') {
      return [`${this.#statement(subject, propertyWords(predicate.slice(predicate.indexOf(' ') + 1)), object)}, however many steps away`]
    }
    if (meaning.kind !== 'property') return this.#inside(predicate)
    const whose = `${this.#say(subject)}'s ${propertyNoun(predicate)}`
    if (object === null || object === undefined) return [`${this.#say(subject)} has ${withArticle(propertyNoun(predicate))}`]
    if ('term' in object) return [`${whose} is ${valueWords(object.term)}`]
    const { variable } = object
    if (this.#met.has(variable) || this.#classes.has(variable) || this.#phrases.has(variable)) return [`${whose} is ${this.#say(object)}`]
    const isTaken = [...this.#phrases.values()].includes(whose)
    this.#phrases.set(variable, isTaken ? `another ${propertyNoun(predicate)} of ${this.#say(subject)}` : whose)
    return []
  }

  #absence({ predicate, args }: Atom): string[] {
    const [subject, object] = args
    const cls = classOf(predicate)
    if (cls !== undefined) return [`${this.#say(subject)} is not ${kindWords(cls.value)}`]
    if (meaningOf(predicate).kind === 'property') {
      if (subject === null || subject === undefined) return [`no ${propertyNoun(predicate)} leads to ${this.#say(object)}`]
      if (object === null || object === undefined) return [`${this.#say(subject)} has no ${propertyNoun(predicate)}`]
      return [`${this.#say(subject)}'s ${propertyNoun(predicate)} is not ${this.#say(object)}`]
    }
    const inner = this.#inside(predicate)
    return inner.length === 0 ? [] : [`it is not so that ${listed(inner)}`]
  }

  /** Relations that the compiler made are told by what they rest on, once. */
  #inside(predicate: string): string[] {
    if (this.#told.has(predicate)) return []
    this.#told.add(predicate)
    const [first] = this.#byHead.get(predicate) ?? []
    return first === undefined ? [] : this.conditions(first.body)
  }

  #tested(expr: Expr): string[] {
    if (!('call' in expr)) return [this.#sayIn(expr)]
    const [left, right] = expr.args
    if (left !== undefined && right !== undefined && OPERATORS[expr.call] !== undefined) return [compared(expr.call, this.#sayIn(left), this.#sayIn(right))]
    if (left !== undefined && right !== undefined && expr.call === 'regex') return [`${this.#sayIn(left)} matches ${this.#sayIn(right)}`]
    return [this.#sayIn(expr)]
  }

  /** "the number of alarms whose state is open" */
  #folded({ fn, of, body }: Aggregate): string {
    const [first] = body
    const subject = first?.args[0]
    const cls = subject !== null && subject !== undefined && 'variable' in subject ? this.#classes.get(subject.variable) : undefined
    const whose = body.flatMap(({ predicate, args: [about, object] }) => {
      if (classOf(predicate) !== undefined || meaningOf(predicate).kind !== 'property' || JSON.stringify(about) !== JSON.stringify(subject)) return []
      const isFree = object === null || object === undefined || ('variable' in object && !this.#met.has(object.variable) && (this.#phrases.get(object.variable) ?? '') === '')
      return isFree ? [] : [`${propertyNoun(predicate)} is ${this.#say(object)}`]
    })
    const inner = cls === undefined ? body.flatMap((atom) => this.#fact(atom)) : []
    const things = cls === undefined ? 'matches' : plural(classWords(cls))
    const about = whose.length > 0 ? ` whose ${listed(whose)}` : inner.length > 0 ? ` where ${listed(inner)}` : ''
    if (fn === 'count') return `the number of ${things}${about}`
    const folded = body.find(({ args }) => of !== null && args.some((arg) => arg !== null && 'variable' in arg && arg.variable === of))
    const value = folded === undefined || meaningOf(folded.predicate).kind !== 'property' ? 'value' : propertyNoun(folded.predicate)
    return `the ${FOLDS[fn] ?? fn} ${value} of the ${things}${about}`
  }

  #say(arg: Argument | null | undefined): string {
    if (arg === null || arg === undefined) return 'something'
    if ('term' in arg) return valueWords(arg.term)
    const { variable } = arg
    const phrase = this.#phrases.get(variable)
    if (phrase !== undefined && phrase !== '') return phrase
    const name = this.#nameOf(variable)
    if (this.#met.has(variable)) return `the ${name}`
    this.#met.add(variable)
    return name.startsWith('other ') ? `an${name}` : withArticle(name)
  }

  #sayIn(expr: Expr): string {
    return 'variable' in expr || 'term' in expr ? this.#say(expr) : sayExpr(expr, (arg) => this.#say(arg))
  }

  #nameOf(variable: string): string {
    const known = this.#names.get(variable)
    if (known !== undefined) return known
    const cls = this.#classes.get(variable)
    const plain = variable.replaceAll(/^_:|['#].*$/g, '').replaceAll(/[_-]+/g, ' ').replace(/ \d+$/, '').trim()
    const own = cls === undefined ? (this.#nouns.get(variable) ?? (/^(?:any)?\d*$/.test(plain) ? 'thing' : plain)) : classWords(cls)
    const taken = new Set(this.#names.values())
    const name = [own, `other ${own}`, `third ${own}`, `${own} "${plain}"`].find((one) => !taken.has(one)) ?? `${own} ${this.#names.size + 1}`
    this.#names.set(variable, name)
    return name
  }
}

const FOLDS: Readonly<Record<string, string>> = { sum: 'total', min: 'smallest', max: 'largest', avg: 'average', latest: 'latest' }
const OPERATORS: Readonly<Record<string, string>> = { '=': 'is', '!=': 'is not', '>=': 'is at least', '>': 'is more than', '<': 'is less than', '<=': 'is at most' }
const compared = (op: string, left: string, right: string): string => `${left} ${OPERATORS[op] ?? op} ${right}`

/** "a flapping link", but "redundancy lost": what is only a state has no article. */
const kindWords = (iri: string): string => (/(?:ed|lost|risk)$/.test(classWords(iri)) ? classWords(iri) : withArticle(classWords(iri)))

/** The class of each variable, as the rule says it or as a property `Class.column` tells, and what others call it. */
function kindsIn({ body }: DatalogRule, byHead: ReadonlyMap<string, readonly DatalogRule[]>, baseIri: string) {
  const classes = new Map<string, string>()
  const told = new Map<string, string>()
  const nouns = new Map<string, string>()
  const visit = (items: readonly BodyItem[], depth: number): void => {
    for (const item of items) {
      const atoms = item.kind === 'atom' || item.kind === 'not' ? [item.atom] : item.kind === 'aggregate' ? item.body : []
      for (const { predicate, args } of atoms) {
        const [subject, object] = args.map((arg) => (arg !== null && 'variable' in arg ? arg.variable : undefined))
        const cls = classOf(predicate)
        if (subject !== undefined && cls?.kind === 'iri') classes.set(subject, cls.value)
        const isOwn = predicate.startsWith(baseIri) && predicate !== RDF_TYPE && cls === undefined
        const owner = isOwn ? predicate.slice(0, Math.max(0, predicate.lastIndexOf('.'))) : ''
        if (subject !== undefined && owner.length > baseIri.length) told.set(subject, owner)
        if (object !== undefined && isOwn && owner.length > baseIri.length && !nouns.has(object)) nouns.set(object, propertyNoun(predicate))
        const [rule] = byHead.get(predicate) ?? []
        if (rule !== undefined && depth < 2 && meaningOf(predicate).kind !== 'property') visit(rule.body, depth + 1)
      }
    }
  }
  visit(body, 0)
  for (const [name, cls] of told) if (!classes.has(name)) classes.set(name, cls)
  return { classes, nouns }
}
