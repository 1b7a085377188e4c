/** What the words of messages tell: a change of state, what the next word names, or a name of something in the program. */

import { isLetterCode } from '../shapes/index.ts'

/** Words whose change is the message. They are never masked, however often they vary. */
const STATUS: ReadonlySet<string> = new Set(
  `up down lost restored ok fail failed failure success successful succeeded error warning critical major minor
  raised cleared open opened opening close closed closing start started starting stop stopped stopping
  accept accepted reject rejected refused enable enabled disable disabled connect connected disconnect
  disconnected established received sent active inactive online offline allow allowed deny denied grant
  granted revoke revoked create created delete deleted add added remove removed begin began end ended
  finished complete completed aborted login logout timeout expired renewed attach attached detach detached
  register registered deregister deregistered healthy unhealthy valid invalid true false yes no on off not`.split(/\s+/),
)

export const isStatus = (word: string): boolean => STATUS.has(word.toLowerCase())

/** Nouns after which the name of one follows. */
const NAMING: ReadonlySet<string> = new Set(
  `user username account host hostname node server client peer device interface file filename path directory folder
  database table queue topic volume disk pod container vm machine cluster tenant service process program package
  class module domain realm group role session url address neighbor neighbour router switch instance site cell named called`
    .split(/\s+/),
)

export const isNaming = (word: string): boolean => NAMING.has(word.toLowerCase())

const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `a an the this that is are was were be been has have had do does did will would can cannot could may might must not no
  of to from for on at in by with within without into over under after before until while and or but if as than then because
  due via per its it there here all any each more most other some such only own same so too very`.split(/\s+/),
)

/** May stand where a name stands: begins with a letter, no verb form, no small word. */
export const isNameable = (word: string): boolean => isSubstantive(word) && !isVerbal(word)

export const isSubstantive = (word: string): boolean => isLetterCode(word.charCodeAt(0)) && !FUNCTION_WORDS.has(word.toLowerCase())

/** Looks like a form of a verb; so do some names, such as `nanjing`. */
const isVerbal = (word: string): boolean => {
  const lower = word.toLowerCase()
  return lower.length > 4 && (lower.endsWith('ed') || lower.endsWith('ing'))
}

/** Words that can be names of things of one sort: some may look like verbs, but not most. */
export const areNameable = (words: readonly string[]): boolean =>
  words.every(isSubstantive) && words.filter(isVerbal).length * 3 <= words.length

/** `GET`, `RUNNING`, `intent.action.SCREEN_ON`: a symbol of the program, not a name from outside. */
export const isCapitals = (word: string): boolean => {
  const last = word.slice(word.lastIndexOf('.') + 1)
  return last === last.toUpperCase()
}

/** Words that say what a number measures. */
const UNITS: ReadonlySet<string> = new Set(
  `b k kb mb gb tb kib mib gib tib bytes ns us ms msec msecs s sec secs second seconds min mins minute minutes h hour hours hrs d
  day days`.split(/\s+/),
)

export const isUnit = (word: string): boolean => UNITS.has(word.toLowerCase())

/** `java.util.List`, `kernel_task`, `NodeCard`: a name that programs give, hardly a word of a sentence. */
export const isSymbol = (word: string): boolean => /[._$-]/.test(word) || /[a-z][A-Z]/.test(word)

/** True of a constant with a letter in it. */
export const isWord = (part: { readonly slot: boolean; readonly text: string }): boolean =>
  !part.slot && /[A-Za-z\u0080-\uffff]/.test(part.text)
