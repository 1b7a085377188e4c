/** What the consistency rules derive: facts of a relation of their own, with premises, so that a run goes on and can explain. */
import type { Argument, Atom } from '../datalog/index.ts'

/** No IRI has a space in it, so no triple can claim to be one. */
const INCONSISTENT = 'inconsistent '

export const isInconsistency = (predicate: string): boolean => predicate.startsWith(INCONSISTENT)

/** The W3C name of the rule whose relation this is. */
export const inconsistentRule = (predicate: string): string => predicate.slice(INCONSISTENT.length)

export const inconsistent = (name: string, ...args: readonly Argument[]): Atom => ({ predicate: `${INCONSISTENT}${name}`, args })

type Wording = (...words: readonly (string | undefined)[]) => string

const disjointClasses: Wording = (x, c, d) => `${x} is both a ${c} and a ${d}, which are disjoint`
const disjointProperties: Wording = (x, p, q, y) => `${x} and ${y} are related by ${p} and by ${q}, which are disjoint`
const different: Wording = (x, y) => `${x} and ${y} are the same and different`
const negative: Wording = (x, p, y) => `${x} ${p} ${y} holds, and is said not to hold`
const none: Wording = (x, p, y) => `${x} may have no value for ${p}, and has ${y}`
const twoValues: Wording = (x, p, y, z) => `${x} may have one value for ${p}, and has two: ${y} and ${z}`

/** By rule, from the arguments of its facts; each rule writes them in this order. */
const WORDING: Readonly<Record<string, Wording>> = {
  'eq-trans': (x, y) => `${x} and ${y} are the same as one thing without a name, and are two names`,
  'eq-diff1': different,
  'eq-diff2': different,
  'eq-diff3': different,
  'prp-irp': (x, p) => `${x} is related to itself by ${p}, which is irreflexive`,
  'prp-asyp': (x, p, y) => `${x} and ${y} are related both ways by ${p}, which is asymmetric`,
  'prp-pdw': disjointProperties,
  'prp-adp': disjointProperties,
  'prp-npa1': negative,
  'prp-npa2': negative,
  'prp-fp': (x, p, y, z) => `${x} has two values for the functional property ${p}: ${y} and ${z}`,
  'prp-ifp': (x, p, y, z) => `${y} and ${z} share ${x} as their ${p}, which belongs to one of them only`,
  'prp-key': (c, x, y) => `${x} and ${y} have the same key as a ${c}`,
  'cls-nothing2': (x) => `${x} is in the empty class`,
  'cls-com': (x, c, d) => `${x} is a ${c} and a ${d}, of which one is the complement of the other`,
  'cls-maxc1': none,
  'cls-maxqc1': none,
  'cls-maxqc2': none,
  'cls-maxc2': twoValues,
  'cls-maxqc3': twoValues,
  'cls-maxqc4': twoValues,
  'cax-dw': disjointClasses,
  'cax-adc': disjointClasses,
  'dt-diff': (x, y) => `${x} and ${y} are made the same, and are two values`,
  'dt-not-type': (x, p, value, d) => `${x} has the value ${value} for ${p}, which is no ${d}`,
}

/** One sentence for an inconsistency, given how its arguments are called. */
export function sayInconsistency(name: string, words: readonly string[]): string {
  return WORDING[name]?.(...words) ?? `${name}: ${words.join(', ')}`
}
