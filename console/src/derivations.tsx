/** Facts that stand in no table: each with the rule that gave it and what that rule rested on. */
import { NOTHING } from './highlight.ts'
import type { Highlights, Selection } from './highlight.ts'
import { Jump } from './jump.tsx'
import { labels } from './names.ts'
import { ShortList } from './short-list.tsx'
import type { InferredFact, SearchAnswer } from './wire.ts'

interface Props {
  readonly answer: SearchAnswer
  readonly found: Highlights
  readonly onSelect: (selection: Selection) => void
}

export function Derivations({ answer, found, onSelect }: Props) {
  const name = labels(answer)
  const facts = new Map(answer.inferred.map((fact) => [fact.id, fact]))
  const inWords = ({ fact: [subject, property, object] }: InferredFact) => (
    <>{name(subject)} <em>{name(property)}</em> {name(object)}</>
  )
  const premise = (text: string) => {
    const fact = facts.get(text)
    if (fact !== undefined) {
      return <Jump to={`fact-${text}`} before={() => onSelect({ kind: 'fact', id: text })}>{inWords(fact)}</Jump>
    }
    const record = answer.citations.find(({ iri }) => iri === text)
    if (record === undefined) return <span title={text}>{name(text)}</span>
    const { n, label } = record
    return <Jump to={`record-${n}`} before={() => onSelect({ kind: 'record', n })}>{label} [{n}]</Jump>
  }
  return (
    <ShortList
      className="derivations"
      items={answer.inferred}
      keyOf={({ id }) => id}
      isRelated={({ id }) => found.facts.has(id)}
      selected={found !== NOTHING}
    >
      {(fact) => (
        <li id={`fact-${fact.id}`} tabIndex={-1} data-related={found.facts.has(fact.id)}>
          <p className="fact">{inWords(fact)}</p>
          <p className="about">
            <span className="chip kind-derived" data-related={found.rules.has(fact.rule)}>rule {fact.rule}</span>
            <span className={`chip tier-${fact.tier}`}>{fact.tier}</span>
          </p>
          <ul className="premises" aria-label="Because">
            {fact.derived_from.map((text) => <li key={text}>{premise(text)}</li>)}
          </ul>
        </li>
      )}
    </ShortList>
  )
}
