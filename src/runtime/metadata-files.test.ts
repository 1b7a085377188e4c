import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MetadataRow, type StoredMetadata, TIERS } from '../contracts/index.ts'
import { METADATA_FORMATS, type MetadataFormat, readMetadata, writeMetadata } from './metadata-files.ts'

const stored = (table: string, column: string | null, more: Partial<StoredMetadata> = {}): StoredMetadata => ({
  ...MetadataRow.parse({ target_type: column === null ? 'table' : 'column', table_name: table, column_name: column }),
  author: 'wherefore', proposed: true, created_at: '', updated_at: '', ...more,
})
const faults = (text: string, format: MetadataFormat) => {
  const read = readMetadata(text, format)
  return read.ok ? [] : read.faults.map(({ line, path, message }) => `${line ?? '-'} ${path ?? '-'}: ${message}`)
}
const HEADER = 'table_name,column_name,label,synonyms,sensitivity_tier,is_functional'

describe('metadata files', () => {
  it('a CSV reads well in a spreadsheet', () => {
    const row = stored('customer', 'e-mail', { label: '=cmd()', synonyms: ['mail; post', 'e "m"'], sensitivity_tier: 'Restricted', is_functional: true })
    expect(writeMetadata([row], 'csv').split('\r\n').slice(0, 2)).toEqual([
      'target_type,table_name,column_name,semantic_type,label,description,synonyms,sensitivity_tier,is_event_class,has_key_columns,is_transitive,is_symmetric,is_functional,is_inverse_functional,inverse_of,disjoint_group,proposed',
      `column,customer,e-mail,,'=cmd(),,"mail\\; post; e ""m""",Restricted,,,,,true,,,,true`,
    ])
  })

  it('YAML says only what is said', () => {
    const row = stored('customer', null, { label: 'yes', has_key_columns: ['id'], proposed: false })
    expect(writeMetadata([row], 'yaml')).toBe('- target_type: table\n  table_name: customer\n  label: yes\n  has_key_columns:\n    - id\n  proposed: false\n')
    expect(readMetadata('- table_name: customer\n  label: yes\n', 'yaml')).toMatchObject({ ok: true, rows: [{ row: { label: 'yes', target_type: 'table' }, line: 1, proposed: undefined }] })
  })

  it('a column left out of the file says nothing, and the kind follows from the names', () => {
    expect(readMetadata('column_name,table_name\nb,a\n,a\n', 'csv')).toMatchObject({
      ok: true,
      rows: [{ row: { target_type: 'column', column_name: 'b' }, line: 2 }, { row: { target_type: 'table', column_name: null }, line: 3 }],
    })
  })

  it.each<[string, MetadataFormat, string, string[]]>([
    ['an empty file', 'csv', '', ['1 -: the file is empty; its first line names the columns']],
    ['an unknown tier', 'csv', `${HEADER}\nt,c,,,secret,\n`, ['2 sensitivity_tier: Invalid option: expected one of "Public"|"Internal"|"Confidential"|"Restricted"']],
    ['a flag that is none', 'csv', `${HEADER}\nt,c,,,,perhaps\n`, ['2 is_functional: true, false or nothing']],
    ['a row too short', 'csv', `${HEADER}\nt,c\n`, ['2 -: 2 cells, but the first line names 6 columns']],
    ['a column twice', 'csv', 'table_name,label,label\n', ['1 label: this column stands twice']],
    ['no table column', 'csv', 'label\nx\n', ['1 table_name: this column is needed']],
    ['a place twice', 'csv', 'table_name,column_name\nt,c\nu,c\nt,c\n', ['4 table_name: line 2 speaks of the same place']],
    ['no table name', 'csv', 'table_name,column_name\n,c\n', ['2 table_name: Invalid input: expected string, received undefined']],
    ['a kind that contradicts', 'csv', 'target_type,table_name,column_name\ntable,t,c\n', ['2 -: a column row names a column, a table row does not']],
    ['an open quote', 'csv', 'table_name\n"t\n', ['2 -: a quoted cell is never closed']],
    ['several faults at once', 'csv', `${HEADER}\nt,c,,,x,maybe\nt,d,,,y,\n`, ['2 is_functional: true, false or nothing']],
    ['no list', 'yaml', 'a: 1\n', ['1 -: the file is a list with one entry per table or column']],
    ['an unknown name', 'yaml', '- table_name: t\n  colour: red\n', [expect.stringContaining('2 colour: no such name') as unknown as string]],
    ['a value of the wrong kind', 'yaml', '- table_name: t\n- table_name: u\n  label: 7\n', ['3 label: Invalid input: expected string, received number']],
    ['a bomb of aliases', 'yaml', '- &a [x, x]\n- table_name: t\n  synonyms: [*a, *a]\n', ['1 -: an entry is a mapping of names to values', '2 -: anchors and aliases are not read here']],
    ['a broken text', 'yaml', '- table_name: "t\n', [expect.stringMatching(/quote/) as unknown as string]],
    ['a name twice in one entry', 'yaml', '- table_name: t\n  table_name: u\n', ['2 -: Map keys must be unique']],
    ['a word for proposed', 'yaml', '- table_name: t\n  proposed: later\n', ['2 proposed: true, false or nothing']],
  ])('%s (%s) is refused with its place', (_, format, text, expected) => {
    const found = faults(text, format)
    expect(found).toHaveLength(expected.length)
    for (const [i, each] of expected.entries()) expect(found[i]).toEqual(each)
  })

  it('says that commas separate cells when semicolons do', () => {
    expect(faults('table_name;label\nt;x\n', 'csv')[0]).toContain('separated by commas')
  })

  it('every row comes back from either format', () => {
    const word = fc.oneof(fc.string({ minLength: 1, maxLength: 12 }), fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom('=', "'", '"', ',', ';', '\\', '\n', ' ', '-', '#', ':') }))
    const flag = fc.constantFrom(true, false, null)
    const rows = fc.uniqueArray(
      fc.record({
        table: word, column: fc.option(word), label: fc.option(word), description: fc.option(word), synonyms: fc.array(word, { maxLength: 3 }),
        sensitivity_tier: fc.constantFrom(...TIERS, null), is_symmetric: flag, has_key_columns: fc.option(fc.array(word, { minLength: 1, maxLength: 2 })), proposed: fc.boolean(),
      }),
      { maxLength: 4, selector: ({ table, column }) => JSON.stringify([table, column]) },
    )
    fc.assert(
      fc.property(rows, fc.constantFrom(...METADATA_FORMATS), (drafts, format) => {
        const all = drafts.map(({ table, column, ...more }) => stored(table, column, more))
        const read = readMetadata(writeMetadata(all, format), format)
        expect(read.ok && read.rows.map(({ row, proposed }) => ({ ...row, proposed }))).toEqual(
          all.map(({ author: _a, created_at: _c, updated_at: _u, ...row }) => row),
        )
      }),
      { numRuns: 200 },
    )
  })
})
