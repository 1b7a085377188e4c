/** What the text of a query says before it is parsed: a function's SELECT as a CONSTRUCT, and what a sub-SELECT hides. */

/** The property of the one triple that a function's query constructs. */
export const RESULT = 'urn:wherefore:result'

/** `SELECT (e AS ?r) WHERE { p }` as `CONSTRUCT { … ?r } WHERE { p BIND(e AS ?r) }`; else what stands in the way. */
export function asConstruct(text: string): { readonly text: string; readonly result: string } | string {
  const plainText = outside(text)
  const select = plainText.search(/\bSELECT\b/i)
  if (select < 0) return 'sh:select holds no SELECT query'
  const open = plainText.indexOf('{', select)
  const close = plainText.lastIndexOf('}')
  if (open < 0 || close < open) return 'sh:select has no pattern in braces'
  if (plainText.slice(close + 1).trim() !== '') return 'sh:select may have no GROUP BY, HAVING, ORDER BY, LIMIT or VALUES'
  const head = text.slice(select + 'SELECT'.length, open).replace(/\bWHERE\s*$/i, '').replace(/^\s*DISTINCT\b/i, '').trim()
  const plain = /^[?$]([\p{L}\p{N}_]+)$/u.exec(head)
  const valued = /^\((.*)\bAS\s+[?$]([\p{L}\p{N}_]+)\s*\)$/isu.exec(head)
  const result = plain?.[1] ?? valued?.[2]
  if (result === undefined) return 'sh:select must select exactly one value'
  const bind = valued === null ? '' : ` BIND (${valued[1]} AS ?${result})`
  const template = `CONSTRUCT { <${RESULT}> <${RESULT}> ?${result} } WHERE {`
  return { text: `${text.slice(0, select)}${template}${text.slice(open + 1, close)}${bind} }`, result }
}

/**
 * Sub-SELECTs that use a variable which has its value from outside without selecting it. SPARQL would take it for another
 * variable, SHACL for the same one, so the query must say which.
 */
export function hiddenSelects(text: string, variables: readonly string[]): { message: string; line: number; column: number }[] {
  const plain = outside(text)
  return [...plain.matchAll(/\bSELECT\b/gi)].slice(/^[^{]*\bSELECT\b/i.test(plain) ? 1 : 0).flatMap(({ index }) => {
    const inside = plain.slice(index, endOfGroup(plain, index))
    const selected = inside.slice(0, Math.max(0, inside.indexOf('{')))
    if (selected.includes('*') && !selected.includes('(')) return []
    const uses = (part: string, variable: string) => new RegExp(`[?$]${variable}(?![\\p{L}\\p{N}_])`, 'u').test(part)
    const hidden = variables.filter((variable) => uses(inside, variable) && !uses(selected, variable))
    const before = text.slice(0, index)
    const place = { line: before.split('\n').length, column: index - before.lastIndexOf('\n') }
    return hidden.map((variable) => ({ message: `the sub-SELECT uses $${variable} and must also select it`, ...place }))
  })
}

/** Where the group ends that a place lies in. */
function endOfGroup(plain: string, from: number): number {
  let depth = 0
  for (let at = from; at < plain.length; at += 1) {
    if (plain[at] === '{') depth += 1
    if (plain[at] === '}' && (depth -= 1) < 0) return at
  }
  return plain.length
}

/** The text with strings, IRIs and comments blanked out, every other character in its place. */
const outside = (text: string): string => text.replaceAll(QUOTED, (found) => ' '.repeat(found.length))

const QUOTED = new RegExp(
  [
    /"""(?:[^"\\]|\\.|"(?!""))*"""/,
    /'''(?:[^'\\]|\\.|'(?!''))*'''/,
    /"(?:[^"\\\n]|\\.)*"/,
    /'(?:[^'\\\n]|\\.)*'/,
    /<[^<>"{}|^`\\\s]*>/,
    /#[^\n]*/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gs',
)
