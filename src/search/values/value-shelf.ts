/**
 * Value indexes by source and cut, made when they are first asked for and again when the data has changed. Who asks while one
 * is being made waits for it, but not for longer than half of its own time: then the old one serves, or the database itself.
 */
import { ServiceError } from '../../contracts/index.ts'
import { type Ontology, ontologyFingerprint } from '../../ontology/index.ts'
import type { Source } from '../../sources/index.ts'
import { textColumns } from './text-columns.ts'
import { type ValueIndex, buildIndex, emptyIndex, nameOf } from './value-index.ts'

const MAX_BYTES_PER_SOURCE = 64 * 1024 * 1024
/** Of a server it is not known when its data changes. */
const SERVER_MS = 5 * 60_000
const COLUMN_MS = 10_000
const MAX_COLUMN_MS = 60_000
const RETRY_MS = 60_000
/** An index that takes longer than this is not made anew for every change, but so that at most a tenth of the time goes into it. */
const QUICK_MS = 1000
const REST = 10

export interface ShelfOptions {
  readonly now: () => number
  readonly build: typeof buildIndex
}

/** What a question is answered with. */
export interface Look {
  readonly index: ValueIndex
  /** everything that the data holds can be found in it */
  readonly whole: boolean
}

interface Made {
  readonly index: ValueIndex
  readonly version: string | null
  readonly at: number
  readonly tookMs: number
  readonly columnMs: number
}

interface Shelved {
  made: Made | null
  making: Promise<void> | null
}

export interface LookLimits {
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

export class ValueShelf {
  /** by the cut, the least recently used first; gone when the source is */
  private readonly sources = new WeakMap<Source, { cuts: Map<string, Shelved>; partial: number }>()
  private readonly keys = new WeakMap<Ontology, string>()
  private readonly options: ShelfOptions

  constructor(options: Partial<ShelfOptions> = {}) {
    this.options = { now: () => performance.now(), build: buildIndex, ...options }
  }

  async look(ontology: Ontology, source: Source, limits: LookLimits): Promise<Look> {
    const until = this.options.now() + limits.timeoutMs
    const version = await source.version()
    const shelved = this.shelved(ontology, source)
    // one that was under way may be of the data before: then the next one is waited for as well
    for (let turn = 0; turn < 2 && !this.isFresh(shelved.made, version) && !this.rests(shelved.made); turn += 1) {
      shelved.making ??= this.make(shelved, ontology, source, version).finally(() => {
        shelved.making = null
        this.trim(source, shelved)
      })
      if (!(await within(shelved.making, { ...limits, timeoutMs: Math.max(1, (until - this.options.now()) / 2) }))) break
    }
    const { made } = shelved
    const fresh = this.isFresh(made, version)
    const whole = fresh && made?.index.late === 0
    if (!whole) this.of(source).partial += 1
    if (fresh && made !== null) return { index: made.index, whole }
    // what an old index does not know may be in the database by now
    return { index: { ...emptyIndex(ontology), ...(made === null ? {} : { columns: made.index.columns }) }, whole }
  }

  /** How many looks so far had to do without a whole index: an answer that was made in between may not stand. */
  partialLooks(source: Source): number {
    return this.sources.get(source)?.partial ?? 0
  }

  private shelved(ontology: Ontology, source: Source): Shelved {
    const key = this.keys.get(ontology) ?? keyOf(ontology)
    this.keys.set(ontology, key)
    const { cuts } = this.of(source)
    const found = cuts.get(key) ?? { made: null, making: null }
    cuts.delete(key)
    cuts.set(key, found)
    return found
  }

  private of(source: Source) {
    const found = this.sources.get(source) ?? { cuts: new Map<string, Shelved>(), partial: 0 }
    this.sources.set(source, found)
    return found
  }

  private isFresh(made: Made | null, version: string | null): boolean {
    if (made === null) return false
    const age = this.options.now() - made.at
    if (made.index.late > 0 && age > RETRY_MS) return false
    return version === null ? made.version === null && age < SERVER_MS : made.version === version
  }

  private rests(made: Made | null): boolean {
    return made !== null && made.tookMs > QUICK_MS && this.options.now() - made.at < REST * made.tookMs
  }

  private async make(shelved: Shelved, ontology: Ontology, source: Source, version: string | null): Promise<void> {
    const { now, build } = this.options
    const since = now()
    // columns that were late get more time; the others are as they were
    const again = shelved.made !== null && version !== null && shelved.made.version === version
    const columnMs = again ? Math.min(MAX_COLUMN_MS, 2 * (shelved.made?.columnMs ?? COLUMN_MS)) : COLUMN_MS
    const index = await build(ontology, source, columnMs, again ? shelved.made?.index.columns : undefined)
    shelved.made = { index, version, at: now(), tookMs: now() - since, columnMs }
  }

  /** Cuts that nobody asked for lately make room for the one that somebody did. */
  private trim(source: Source, used: Shelved): void {
    const { cuts } = this.of(source)
    const bytes = () => [...cuts.values()].reduce((sum, { made }) => sum + (made?.index.bytes ?? 0), 0)
    for (const [key, shelved] of cuts) {
      if (bytes() <= MAX_BYTES_PER_SOURCE) return
      if (shelved !== used && shelved.making === null) cuts.delete(key)
    }
  }
}

/** Two cuts share an index only if they are the same cut of the same columns. */
function keyOf(ontology: Ontology): string {
  const columns = textColumns(ontology).map((column) => [nameOf(column), column.cls.table, column.column, column.small])
  return `${ontologyFingerprint(ontology)} ${JSON.stringify(columns)}`
}

/** Waits for so long; false when that was not enough. Leaving does not stop what others wait for as well. */
async function within(making: Promise<void>, { timeoutMs, signal }: LookLimits): Promise<boolean> {
  making.catch(() => undefined) // nobody may be waiting any more when it fails
  if (signal?.aborted === true) throw left()
  let stop = (): void => undefined
  const enough = new Promise<false>((resolve, reject) => {
    const timer = setTimeout(() => resolve(false), timeoutMs)
    const leave = (): void => reject(left())
    signal?.addEventListener('abort', leave, { once: true })
    stop = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', leave)
    }
  })
  try {
    return await Promise.race([making.then(() => true), enough])
  } finally {
    stop()
  }
}

const left = (): ServiceError => new ServiceError('cancelled', 'the search was cancelled', { stage: 'plan' })
