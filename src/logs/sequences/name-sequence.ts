/** What a sequence is called: columns hold hashes, so the words come from those of its lines that are stored as events. */
import type { LogEvent } from '../candidate.ts'
import type { EventColumns } from '../columns.ts'
import type { Cut, LogSequence } from './cut.ts'

export type NameSequence = (by: Cut['by'], sequence: LogSequence) => string

/** The trace, the value of the entity, or the time it begins at; else where its first line stands. */
export function namer({ files, file, offset }: EventColumns, events: readonly LogEvent[]): NameSequence {
  const placeOf = (name: string, at: number): string => `${name}:${at}`
  const stored = new Map(events.map((event) => [placeOf(event.file, event.offset), event]))
  return (by, { key, rows }) => {
    if (by.startsWith('slices')) return new Date(key).toISOString()
    const places = rows.map((row) => placeOf(files[file[row]!] ?? '', offset[row]!))
    const [slot] = by.startsWith('entity ') ? [`${by.slice('entity '.length)}=`] : [null]
    for (const place of places) {
      const event = stored.get(place)
      const named = slot === null ? event?.trace : event?.entities.find((entity) => entity.startsWith(slot))?.slice(slot.length)
      if (named !== undefined && named !== '') return named
    }
    return places[0] ?? ''
  }
}
