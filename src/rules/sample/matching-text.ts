/** A short text that a pattern finds. Patterns are those of the linear matcher; one that cannot be followed here gives nothing. */

/** undefined where no text comes to mind; whoever uses it checks it with the matcher. */
export function textMatching(pattern: string): string | undefined {
  const reader = { text: pattern, at: 0 }
  const found = alternatives(reader, 0)
  return reader.at === pattern.length ? found : undefined
}

interface Reader {
  readonly text: string
  at: number
}

const DEEPEST = 50

/** The first alternative is enough; the others are read over. */
function alternatives(reader: Reader, depth: number): string | undefined {
  const first = sequence(reader, depth)
  while (reader.text[reader.at] === '|') {
    reader.at += 1
    sequence(reader, depth)
  }
  return first
}

function sequence(reader: Reader, depth: number): string | undefined {
  let text: string | undefined = ''
  while (reader.at < reader.text.length && !'|)'.includes(reader.text[reader.at]!)) {
    const piece = depth > DEEPEST ? undefined : atom(reader, depth)
    const times = repetitions(reader)
    text = text === undefined || piece === undefined ? undefined : text + piece.repeat(Math.min(times, 1000))
    if (depth > DEEPEST) reader.at += 1
  }
  return text
}

function atom(reader: Reader, depth: number): string | undefined {
  const char = reader.text[reader.at]!
  reader.at += 1
  if (char === '^' || char === '$') return ''
  if (char === '.') return 'a'
  if (char === '[') return oneOf(reader)
  if (char === '\\') return escaped(reader)
  if (char !== '(') return char
  reader.at += /^\?(?::|P?<[^>]*>)/.exec(reader.text.slice(reader.at))?.[0].length ?? 0
  const inner = alternatives(reader, depth + 1)
  if (reader.text[reader.at] !== ')') return undefined
  reader.at += 1
  return inner
}

function repetitions(reader: Reader): number {
  const [found, least] = /^(?:[*?]|\+|\{(\d+)(,\d*)?\})\??/.exec(reader.text.slice(reader.at)) ?? []
  if (found === undefined) return 1
  reader.at += found.length
  if (least !== undefined) return Number(least)
  return found.startsWith('+') ? 1 : 0
}

const ESCAPES: Readonly<Record<string, string>> = { d: '1', w: 'a', s: ' ', D: 'a', W: ' ', S: 'a', n: '\n', r: '\r', t: '\t', b: '' }

function escaped(reader: Reader): string | undefined {
  const char = reader.text[reader.at]
  reader.at += 1
  if (char === undefined) return undefined
  if (char !== 'p' && char !== 'P') return ESCAPES[char] ?? char
  const category = /^\{([A-Z])([a-z]?)\}/.exec(reader.text.slice(reader.at))
  reader.at += category?.[0].length ?? 0
  const [, kind, more] = category ?? []
  const plain = kind === 'N' ? '1' : kind === 'L' ? (more === 'u' ? 'A' : 'a') : kind === 'P' ? '.' : kind === 'Z' ? ' ' : undefined
  return char === 'P' ? (kind === 'L' ? '1' : 'a') : plain
}

/** A member of a class of characters, or one that is none of them. */
function oneOf(reader: Reader): string | undefined {
  const end = /^\^?(?:\\.|[^\]\\])*\]/s.exec(reader.text.slice(reader.at))?.[0]
  if (end === undefined) return undefined
  reader.at += end.length
  const inner = end.slice(0, -1)
  if (inner.startsWith('^')) return ['a', '1', ' ', '-', '~'].find((char) => !inner.includes(char) && !/\\[wdsWDS]|-/.test(inner)) ?? '~'
  const first = inner.startsWith('\\') ? escaped({ text: inner, at: 1 }) : inner[0]
  return first
}
