/** Turtle in pieces: the prefixes once at the top, then block after block in the spelling that all our Turtle has. */
import type { Quad } from '../../kernel/rdf/index.ts'
import { writeTurtle } from '../../kernel/rdf/index.ts'
import { compareText } from '../../kernel/term.ts'

export type Prefixes = Readonly<Record<string, string>>

/** All of the prefixes, whether they will be used or not: what comes later is not known yet. */
export function prologue(prefixes: Prefixes, header: readonly string[]): string {
  const comment = header.map((line) => `# ${line.replaceAll(/[\r\n]+/g, ' ')}`.trimEnd() + '\n').join('')
  const declarations = Object.entries(prefixes)
    .toSorted(([x], [y]) => compareText(x, y))
    .map(([prefix, namespace]) => `@prefix ${prefix}: <${namespace}> .\n`)
  return [comment, declarations.join('')].filter((part) => part !== '').join('\n')
}

/** A record's triples, led by an empty line; more than one block where they have more than one subject. */
export const blockOf = (quads: readonly Quad[], prefixes: Prefixes): string =>
  `\n${withoutDeclarations(writeTurtle(quads, { prefixes }))}`

/** They stand before the first empty line; a line break inside a literal is escaped and makes none. */
const withoutDeclarations = (text: string): string => (text.startsWith('@prefix ') ? text.slice(text.indexOf('\n\n') + 2) : text)
