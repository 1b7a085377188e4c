/** Records of databases that the events of an incident are about: where logs and tables meet. */
import type { AffectedRecord } from '../contracts/index.ts'
import { tierAt, within } from '../contracts/index.ts'
import { RDF_TYPE, meaningOf } from '../kernel/rdf/index.ts'
import { compareText, iri, termKey } from '../kernel/term.ts'
import type { Event, View } from './events.ts'
import { localName, nameOf } from './events.ts'

export function affectedRecords(view: View, events: readonly Event[]): AffectedRecord[] {
  const uses = events.flatMap(({ records }) => records)
  return [...Map.groupBy(uses, (record) => record)]
    .map(([record, own]) => ({ record, label: nameOf(view.m, iri(record), view.ceiling), classes: classesOf(view, record), events: own.length }))
    .toSorted((x, y) => y.events - x.events || compareText(x.record, y.record))
}

function classesOf({ m, ceiling }: View, record: string): string[] {
  const key = termKey(iri(record))
  const classes = new Set<string>()
  for (const predicate of m.model.predicates) {
    const meaning = meaningOf(predicate)
    if (meaning.kind !== 'property' || meaning.property !== RDF_TYPE) continue
    for (const { args, tier } of m.model.find(predicate, [iri(record)])) {
      const [subject, cls] = args
      if (subject && termKey(subject) === key && cls?.kind === 'iri' && within(tierAt(tier), ceiling)) classes.add(localName(cls.value))
    }
  }
  return [...classes].toSorted(compareText)
}
