/** A project with planted values: each belongs to one tier, stands in one place of the database or the logs, and is found by its shape. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Chance } from '../../examples/seeded.ts'
import { TIERS, type Tier, tierRank } from '../../src/contracts/index.ts'
import { createLog } from '../../src/surfaces/http/index.ts'
import { httpWorld } from '../support-http.ts'
import type { Draft, TableDraft } from './twin-draft.ts'
import { type Row, writeDatabase } from './twin-rows.ts'
import type { TwinWorld } from './twin-world.ts'

export type PlantedTier = Exclude<Tier, 'Public'>
export const PLANTED = TIERS.slice(1) as readonly PlantedTier[]

export interface Canaries {
  readonly tierOf: ReadonlyMap<string, PlantedTier>
  readonly of: Readonly<Record<PlantedTier, readonly string[]>>
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const SHAPE = /cq[a-z]{14}|77\d{13}/gi

/** Words and numbers that stand nowhere else. */
export function newCanaries(perTier: number): Canaries {
  const chance = new Chance(20_260_101)
  const word = () => `cq${Array.from({ length: 14 }, () => LETTERS[chance.below(26)]).join('')}`
  const number = () => `77${Array.from({ length: 13 }, () => chance.below(10)).join('')}`
  const some = () => Array.from({ length: perTier }, (_, at) => (at % 5 === 4 ? number() : word()))
  const of = { Internal: some(), Confidential: some(), Restricted: some() }
  return { of, tierOf: new Map(PLANTED.flatMap((tier) => of[tier].map((canary) => [canary, tier] as const))) }
}

/** Canaries of tiers above the ceiling that a text holds, however its numbers are grouped. */
export function hits(text: string, { tierOf }: Canaries, ceiling: Tier): string[] {
  const plain = text.replaceAll(/(?<=\d)[,_ \u00a0\u202f](?=\d)/g, '')
  const found = [text, plain].flatMap((each) => each.match(SHAPE) ?? []).map((each) => each.toLowerCase())
  return [...new Set(found)].filter((each) => {
    const tier = tierOf.get(each)
    return tier !== undefined && tierRank(tier) > tierRank(ceiling)
  })
}

const COLUMNS = { Internal: 'codename', Confidential: 'appraisal', Restricted: 'passphrase' } as const
const VAULTS = { Internal: 'dossier', Confidential: 'ledger', Restricted: 'vault' } as const
const SEVERITY = { Internal: 'WARN', Confidential: 'ERROR', Restricted: 'CRITICAL' } as const

const vault = (tier: PlantedTier): TableDraft => ({
  name: VAULTS[tier], tier, key: ['code'], rows: 0,
  columns: [
    { name: 'code', kind: 'text', said: 'Public' }, { name: 'title', kind: 'text', said: 'Public' }, { name: 'asset_id', kind: 'integer', said: 'Public', to: 'asset' },
  ],
})

const DRAFT: Draft = {
  seed: 0, indexes: [], analyse: true, phrases: ['guarded', 'loose'],
  view: { name: 'asset_overview', columns: ['name', ...Object.values(COLUMNS)] },
  tables: [
    {
      name: 'asset', tier: null, key: ['id'], rows: 0,
      columns: [
        { name: 'id', kind: 'integer', said: 'Public' }, { name: 'name', kind: 'text', said: 'Public' }, { name: 'status', kind: 'word', said: 'Public' },
        { name: 'weight', kind: 'integer', said: 'Public' },
        ...PLANTED.map((tier) => ({ name: COLUMNS[tier], kind: 'text', said: tier }) as const),
      ],
    },
    ...PLANTED.map(vault),
  ],
  flavor: {
    name: 'twin', label: 'Twin',
    rules: [
      { id: 'guarded', label: 'guarded', phrases: ['guarded'], sentence: '{x} is guarded', negative_sentence: '{x} is not guarded', body: 'guarded(?x) :- Vault(asset: ?x).' },
      { id: 'loose', label: 'loose', phrases: ['loose'], sentence: '{x} is loose', negative_sentence: '{x} is not loose', body: 'loose(?x) :- Asset(?x), not Ledger(asset: ?x).' },
      { id: 'known', label: 'known', phrases: ['known'], sentence: '{x} is known as {c}', negative_sentence: '{x} is not known', body: 'known(?x, ?c) :- Asset(?x, codename: ?c).' },
    ],
  },
}

/** Half of a tier's canaries stand in columns of open records, the rest are keys and values of closed tables, and words of log lines. */
export async function canaryWorld(canaries: Canaries): Promise<TwinWorld> {
  const size = canaries.of.Internal.length
  const [half, most] = [Math.floor(size / 2), Math.floor(size * 0.8)]
  const at = (tier: PlantedTier, from: number, to: number) => canaries.of[tier].slice(from, to)
  const assets = Array.from({ length: half }, (_, i): Row => ({
    id: i + 1, name: `Asset ${i + 1}`, status: ['open', 'shut', 'idle'][i % 3]!, weight: i * 3,
    ...Object.fromEntries(PLANTED.map((tier) => [COLUMNS[tier], canaries.of[tier][i]!])),
  }))
  const vaults = PLANTED.map((tier): [string, Row[]] => {
    const own = at(tier, half, most)
    const rows = own.flatMap((code, i) => (i % 2 === 0 ? [{ code, title: own[i + 1] ?? null, asset_id: 1 + (i % half) }] : []))
    return [VAULTS[tier], rows]
  })
  const lines: string[] = []
  const world = await httpWorld({
    keepRuns: true, sourcesDir: false, suggestValuesMs: 60_000, log: createLog({ write: (line) => void lines.push(line) }),
    project: (folder) => {
      const database = join(folder, 'twin.sqlite')
      writeDatabase(database, DRAFT, new Map([['asset', assets], ...vaults]))
      mkdirSync(join(folder, 'flavors'))
      writeFileSync(join(folder, 'flavors', 'twin.json'), JSON.stringify(DRAFT.flavor))
      const logged = PLANTED.flatMap((tier) => at(tier, most, size).map((canary, i) => logLine(tier, canary, i)))
      writeFileSync(join(folder, 'logs', 'app.jsonl'), `${logged.join('\n')}\n`)
      return { database, config: { sources: { twin: { path: 'twin.sqlite', flavor: 'twin' } }, log_roots: ['logs'] } }
    },
  })
  return { ...world, lines }
}

const TEMPLATES = {
  Internal: (word: string) => `retry of transfer ${word} was late`,
  Confidential: (word: string) => `payment for customer ${word} was refused`,
  Restricted: (word: string) => `key ${word} of the safe was tried`,
} as const

const logLine = (tier: PlantedTier, canary: string, at: number): string =>
  JSON.stringify({
    ts: new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString(), level: SEVERITY[tier], service: 'safe', message: TEMPLATES[tier](canary),
  })
