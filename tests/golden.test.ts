import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Parser } from 'n3'
import { Store } from 'oxigraph'
import { describe, expect, it } from 'vitest'
import { CASES, root } from './golden/cases.ts'

describe.each(CASES)('the ontology of $name', ({ folder, missing, make }) => {
  const reason = missing()

  it.skipIf(reason !== null)(`is what is kept in ${folder}${reason === null ? '' : ` (${reason})`}`, async () => {
    for (const [file, text] of Object.entries(await make())) {
      expect(readFileSync(join(root, folder, file), 'utf8'), `${file}; npm run golden rewrites it`).toBe(text)
    }
  })

  it('is Turtle that two parsers read alike', () => {
    const turtle = readFileSync(join(root, folder, 'enterprise.ttl'), 'utf8')
    const store = new Store()
    store.load(turtle, { format: 'text/turtle' })
    expect(new Parser().parse(turtle)).toHaveLength(store.size)
    expect(store.size).toBeGreaterThan(500)
  })
})
