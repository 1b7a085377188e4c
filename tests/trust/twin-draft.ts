/**
 * A database drafted from a seed: tables, tiers, keys that lead into hidden tables, a link table, happenings, a view, rules with
 * negation and counting. Which tier each place holds is worked out here on its own, without the code under test.
 */
import { Chance } from '../../examples/seeded.ts'
import { TIERS, type Tier, maxTier, within } from '../../src/contracts/index.ts'

export type Kind = 'text' | 'word' | 'integer' | 'real' | 'date' | 'untyped'

export interface ColumnDraft {
  readonly name: string
  readonly kind: Kind
  /** what the metadata says; null leaves it to the proposal, which goes by the name here */
  readonly said: Tier | null
  /** the tier of a column of which nothing is said */
  readonly byName?: Tier
  readonly to?: string
  /** a reference that only the values give away */
  readonly undeclared?: true
}

export interface TableDraft {
  readonly name: string
  readonly tier: Tier | null
  readonly key: readonly string[]
  readonly columns: readonly ColumnDraft[]
  readonly rows: number
}

export interface Draft {
  readonly seed: number
  readonly tables: readonly TableDraft[]
  /** name of a view over the first table, and its columns */
  readonly view: { readonly name: string; readonly columns: readonly string[] } | null
  /** table and columns, the hidden ones first, so that an index scan goes by them */
  readonly indexes: readonly (readonly [string, readonly string[]])[]
  readonly analyse: boolean
  readonly flavor: Readonly<Record<string, unknown>>
  readonly phrases: readonly string[]
}

const NOUNS = ['vessel', 'depot', 'crate', 'officer', 'permit', 'harbor', 'cargo', 'pilot', 'engine', 'berth', 'convoy', 'beacon'] as const
const UPPER = TIERS.slice(1)

const id: ColumnDraft = { name: 'id', kind: 'integer', said: 'Public' }

export function draftOf(seed: number): Draft {
  const chance = new Chance(seed * 7919 + 13)
  const [thing = '', group = '', part = '', secret = '', guarded = ''] = chance.some(NOUNS, 5)
  const any = () => chance.pick(TIERS)
  const upper = () => chance.pick(UPPER)
  const secretTier = upper()
  const linkTier = upper()
  const tables: TableDraft[] = [
    {
      name: thing, tier: null, key: ['id'], rows: 12 + chance.below(8),
      columns: [
        id,
        { name: 'name', kind: 'text', said: 'Public' },
        { name: 'status', kind: 'word', said: chance.pick(['Public', 'Internal']) },
        { name: 'weight', kind: 'real', said: 'Public' },
        { name: 'score', kind: 'integer', said: any() },
        { name: 'alias', kind: 'text', said: 'Internal' },
        { name: 'clearance', kind: 'word', said: 'Confidential' },
        { name: 'bounty', kind: 'integer', said: 'Restricted' },
        { name: 'badge', kind: 'untyped', said: upper() },
        { name: 'contact_email', kind: 'text', said: null, byName: 'Restricted' },
        { name: `${group}_id`, kind: 'integer', said: 'Public', to: group },
        { name: `${secret}_id`, kind: 'integer', said: 'Public', to: secret },
        { name: 'opened_on', kind: 'date', said: any() },
      ],
    },
    {
      name: group, tier: null, key: ['id'], rows: 4 + chance.below(3),
      columns: [
        id,
        { name: 'name', kind: 'text', said: any() },
        { name: 'title', kind: 'text', said: 'Public' },
        { name: 'budget', kind: 'real', said: any() },
        { name: 'region', kind: 'word', said: any() },
      ],
    },
    {
      name: part, tier: chance.pick([null, null, upper()]), key: ['id'], rows: 20 + chance.below(15),
      columns: [
        id,
        { name: `${thing}_id`, kind: 'integer', said: 'Public', to: thing },
        { name: `${secret}_id`, kind: 'integer', said: 'Public', to: secret, undeclared: true },
        { name: 'state', kind: 'word', said: any() },
        { name: 'amount', kind: 'real', said: chance.pick(['Public', 'Internal']) },
        { name: 'margin', kind: 'integer', said: upper() },
        { name: 'made_on', kind: 'date', said: any() },
      ],
    },
    {
      name: secret, tier: secretTier, key: ['id'], rows: 5 + chance.below(5),
      columns: [id, { name: 'name', kind: 'text', said: 'Public' }, { name: 'rank', kind: 'integer', said: 'Public' }],
    },
    {
      name: `${thing}_${group}`, tier: linkTier, key: [`${thing}_id`, `${group}_id`], rows: 15,
      columns: [
        { name: `${thing}_id`, kind: 'integer', said: 'Public', to: thing },
        { name: `${group}_id`, kind: 'integer', said: 'Public', to: group },
      ],
    },
    {
      name: 'incident', tier: chance.pick([null, upper()]), key: ['id'], rows: 14,
      columns: [
        id,
        { name: 'event_type', kind: 'word', said: any() },
        { name: 'occurred_at', kind: 'date', said: 'Public' },
        { name: `${thing}_id`, kind: 'integer', said: 'Public', to: thing },
        { name: 'detail', kind: 'text', said: any() },
      ],
    },
    {
      // its records are named by something that not everybody may see
      name: guarded, tier: null, key: ['code'], rows: 6,
      columns: [
        { name: 'code', kind: 'text', said: upper() },
        { name: 'name', kind: 'text', said: 'Public' },
        { name: `${thing}_id`, kind: 'integer', said: 'Public', to: thing },
      ],
    },
  ]
  const view = chance.below(2) === 0 ? { name: `${thing}_overview`, columns: ['name', 'bounty', 'alias'] } : null
  const [one, link] = [capital(thing), `${capital(thing)}${capital(group)}`]
  return {
    seed,
    tables,
    view,
    indexes: [
      [thing, ['bounty', 'weight', 'name']], [thing, ['clearance', 'status', 'weight', 'id']], [part, ['margin', 'amount', `${thing}_id`]],
      [thing, [`${secret}_id`, 'name']],
    ],
    analyse: chance.below(2) === 0,
    flavor: flavorOf({ one, part: capital(part), secret: capital(secret), link, thing, group, secretName: secret }),
    phrases: ['idle', 'overloaded', 'paired with', 'watched', 'noted'],
  }
}

interface Cast {
  readonly one: string
  readonly part: string
  readonly secret: string
  readonly link: string
  readonly thing: string
  readonly group: string
  readonly secretName: string
}

/** Rules that hide or show by what they rest on: an absence, a count, a link, two clauses of which one may be hidden. */
function flavorOf({ one, part, link, thing, group, secretName }: Cast): Readonly<Record<string, unknown>> {
  const rule = (name: string, body: string, sentence: string) => ({
    id: name, label: name, phrases: [name.split('-')[0] === 'paired' ? 'paired with' : (name.split('-')[0] ?? '')],
    sentence, negative_sentence: `not: ${sentence}`, body,
  })
  return {
    name: 'twin',
    label: 'Twin',
    example: `Which ${thing} is idle?`,
    synonyms: { [one]: ['unit'] },
    rules: [
      rule('idle', `idle(?x) :- ${one}(?x), not ${part}(${thing}: ?x).`, '{x} is idle'),
      rule('overloaded', `overloaded(?x) :- ${one}(?x), ?n = count { ${part}(${thing}: ?x) }, ?n > 1.`, '{x} is overloaded with {n:part}'),
      rule('paired', `paired(?x, ?y) :- ${link}(${thing}: ?x, ${group}: ?y).`, '{x} is paired with {y}'),
      rule('watched-by-secret', `watched(?x) :- ${one}(?x, ${secretName}: ?s).`, '{x} is watched'),
      rule('watched-by-incident', `watched(?x) :- Incident(${thing}: ?x).`, '{x} is watched'),
      rule('noted', `noted(?x) :- Incident(${thing}: ?x), not overloaded(?x).`, '{x} is noted'),
    ],
  }
}

export const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

export interface Held {
  /** the tier of a table is that of its key: whoever may not name its records sees nothing of them */
  table(name: string): Tier
  column(table: string, column: string): Tier
}

/** The tier each place holds: its own, its table's, and for a reference that of what it leads to. Grows until it stands still. */
export function heldTiers({ tables }: Pick<Draft, 'tables'>): Held {
  const held = new Map<string, Tier>()
  const of = (table: string, column: string): Tier => held.get(`${table}.${column}`) ?? 'Public'
  const tableTier = (name: string): Tier => {
    const table = tables.find((each) => each.name === name)
    return maxTier(table?.tier ?? 'Public', ...(table?.key ?? []).map((column) => of(name, column)))
  }
  for (let changed = true; changed; ) {
    changed = false
    for (const table of tables) {
      for (const { name, said, byName, to, undeclared } of table.columns) {
        const led = to === undefined || undeclared === true ? 'Public' : tableTier(to)
        const tier = maxTier(table.tier ?? 'Public', said ?? byName ?? 'Restricted', led)
        if (tier === of(table.name, name)) continue
        held.set(`${table.name}.${name}`, tier)
        changed = true
      }
    }
  }
  return { table: tableTier, column: (table, column) => maxTier(of(table, column), tableTier(table)) }
}

export interface Hidden {
  readonly tables: readonly TableDraft[]
  readonly columns: readonly (readonly [TableDraft, ColumnDraft])[]
}

/** What a ceiling hides: whole tables, and columns of the tables that stay. */
export function hiddenAt(draft: Draft, ceiling: Tier): Hidden {
  const held = heldTiers(draft)
  const open = draft.tables.filter(({ name }) => within(held.table(name), ceiling))
  return {
    tables: draft.tables.filter((table) => !open.includes(table)),
    columns: open.flatMap((table) =>
      table.columns.filter(({ name }) => !within(held.column(table.name, name), ceiling)).map((column) => [table, column] as const),
    ),
  }
}

/** The draft as somebody would have made it who never had what the ceiling hides. */
export function withoutHidden(draft: Draft, ceiling: Tier): Draft {
  const hidden = hiddenAt(draft, ceiling)
  const gone = new Set(hidden.columns.map(([table, column]) => `${table.name}.${column.name}`))
  const stays = (table: string, column: string): boolean => !gone.has(`${table}.${column}`)
  const tables = draft.tables
    .filter((table) => !hidden.tables.includes(table))
    .map((table) => ({ ...table, columns: table.columns.filter(({ name }) => stays(table.name, name)) }))
  return {
    ...draft,
    tables,
    view: null,
    indexes: draft.indexes.filter(([table, columns]) => tables.some(({ name }) => name === table) && columns.every((each) => stays(table, each))),
  }
}
