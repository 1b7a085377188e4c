/**
 * The suite's create.sql is standard SQL. SQLite differs in three points, and only these are changed:
 *
 * 1. constraints of a table must follow its columns: they are moved to the end, in their order;
 * 2. ALTER TABLE cannot add a foreign key: it is written into CREATE TABLE;
 * 3. CHAR(n) is stored without the blanks that the standard pads it with: they are added after loading, so that the database
 *    holds the values that the same script leaves in an engine of the standard.
 */
export function sqliteScript(standard: string): string {
  const parts = splitOutside(standard.replaceAll(/^\s*--.*$/gm, ''), ';').map((each) => each.trim())
  const statements = parts.filter((each) => each !== '')
  const tables = new Map<string, string[]>()
  const others: string[] = []
  for (const statement of statements) {
    const [, created, body] = /^CREATE TABLE\s+("[^"]+")\s*\((.*)\)$/is.exec(statement) ?? []
    const [, altered, key] = /^ALTER TABLE\s+("[^"]+")\s+ADD\s+(FOREIGN KEY.*)$/is.exec(statement) ?? []
    if (created !== undefined && body !== undefined) tables.set(created, splitOutside(body, ',').map((item) => item.trim()))
    else if (altered !== undefined && key !== undefined) tables.get(altered)?.push(key)
    else others.push(statement)
  }
  const creates = [...tables].map(([name, items]) => {
    const [constraints, columns] = [items.filter(isConstraint), items.filter((item) => !isConstraint(item))]
    return `CREATE TABLE ${name} (${[...columns, ...constraints].join(', ')})`
  })
  const pads = [...tables].flatMap(([name, items]) =>
    items.flatMap((item) => {
      const [, column, length] = /^("[^"]+")\s+CHAR\s*\((\d+)\)/i.exec(item) ?? []
      const blanks = ' '.repeat(Number(length ?? 0))
      return column === undefined ? [] : [`UPDATE ${name} SET ${column} = substr(${column} || '${blanks}', 1, ${length})`]
    }),
  )
  return [...creates, ...others, ...pads].map((statement) => `${statement};\n`).join('')
}

const isConstraint = (item: string): boolean => /^(?:PRIMARY KEY|FOREIGN KEY|UNIQUE)\b/i.test(item)

/** Splits at a character that stands neither between quotes nor between parentheses. */
function splitOutside(text: string, at: ',' | ';'): string[] {
  const parts = ['']
  let quote = ''
  let depth = 0
  for (const char of text) {
    if (quote !== '') quote = char === quote ? '' : quote
    else if (char === '"' || char === "'") quote = char
    else if (char === '(') depth += 1
    else if (char === ')') depth -= 1
    if (char === at && quote === '' && depth === 0) parts.push('')
    else parts[parts.length - 1] += char
  }
  return parts
}
