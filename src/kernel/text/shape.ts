/** The shape of a message: what its author wrote, with a mask where the program filled in a value. */
import { isValue, tokenise } from './tokens.ts'
import type { Token } from './tokens.ts'
import type { ValueKind } from './value-kind.ts'

export const MASK = '<*>'

export interface Part {
  /** how the part stands in the shape: a word, punctuation, `<*>`, `"<*>"` or `key=<*>` */
  readonly shown: string
  readonly spaced: boolean
  /** true where a value stands */
  readonly slot: boolean
  readonly key: string
  readonly value: string
  readonly kind: ValueKind | 'punctuation'
  /** where the value lies in the message */
  readonly start: number
  readonly end: number
}

/** The parts of a message. Neighbouring values of one kind are one part: a list of any length has one shape. */
export function partsOf(message: string): Part[] {
  const parts: Part[] = []
  const tokens = tokenise(message)
  for (let i = 0; i < tokens.length; i += 1) {
    const first = tokens[i] as Token
    let last = first
    if (listable(first)) {
      for (let next = follower(tokens, i, first); next > i; next = follower(tokens, i, first)) {
        last = tokens[next] as Token
        i = next
      }
    }
    parts.push(part(first, last, message))
  }
  return parts
}

/** `shapeOf('link down node=crt-07 port=3')` is `'link down node=<*> port=<*>'`. */
export const shapeOf = (message: string): string => shownText(partsOf(message))

export const shownText = (parts: readonly Pick<Part, 'shown' | 'spaced'>[]): string =>
  parts.map((each, i) => (each.spaced && i > 0 ? ' ' : '') + each.shown).join('')

const listable = (token: Token): boolean => isValue(token) && token.key === '' && token.quote === ''

/** The index of the next value of the same list (behind at most one comma), or -1. */
function follower(tokens: readonly Token[], at: number, first: Token): number {
  const next = tokens[at + 1]?.kind === 'punctuation' && tokens[at + 1]?.text === ',' ? at + 2 : at + 1
  const token = tokens[next]
  return token !== undefined && listable(token) && token.kind === first.kind ? next : -1
}

function part(first: Token, last: Token, message: string): Part {
  const { key, quote, spaced, kind, start } = first
  const slot = isValue(first)
  const mask = `${quote}${MASK}${quote}`
  const shown = slot ? (key === '' ? mask : `${key}=${mask}`) : first.text
  return { shown, spaced, slot, key, value: message.slice(start, last.end), kind, start, end: last.end }
}
