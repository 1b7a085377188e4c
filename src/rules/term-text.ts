/** Names from logs and people as IRIs. Whoever writes the log chooses these words, so none may break out of a query or a file. */

/** The IRI of a class or property: the project's base and the name, percent-encoded where an IRI needs it. */
export const termIri = (baseIri: string, name: string): string => `${baseIri}${encodeURIComponent(name.toWellFormed())}`

/** The same in SPARQL under the prefix `:`; a name that is no plain local name is written as a full IRI. */
export const termText = (baseIri: string, name: string): string =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? `:${name}` : `<${termIri(baseIri, name)}>`

/** An IRI that can stand between angle brackets. */
export const isIri = (text: string): boolean => /^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|^`\\\p{Cc}]*$/u.test(text)
