/** The question box with its settings. */
import type { FormEvent, KeyboardEvent } from 'react'
import type { Catalogue } from './use-catalogue.ts'
import type { Ask } from './url-state.ts'
import { TIERS } from './wire.ts'
import type { Tier } from './wire.ts'

interface Props {
  readonly ask: Ask
  readonly catalogue: Catalogue
  readonly running: boolean
  readonly onChange: (ask: Ask) => void
  readonly onAsk: (ask: Ask) => void
  readonly onStop: () => void
}

const TIER_HINT = 'Nothing above this tier is read, reasoned over or shown.'

export function AskForm({ ask, catalogue, running, onChange, onAsk, onStop }: Props) {
  const { flavors, sources } = catalogue
  const examples = flavors.filter(({ name, example }) => example !== null && (ask.flavor === '' || ask.flavor === name))
  const [placeholder = 'How many customers are there?'] = examples.flatMap(({ example }) => example ?? [])
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault()
    if (ask.question.trim() !== '') onAsk(ask)
  }
  return (
    <form className="card ask" onSubmit={submit} role="search" aria-label="Ask a question">
      <label htmlFor="question">Your question</label>
      <textarea
        id="question"
        rows={2}
        maxLength={2000}
        value={ask.question}
        placeholder={placeholder}
        onChange={({ target }) => onChange({ ...ask, question: target.value })}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
          if (event.key === 'Escape' && running) onStop()
        }}
      />
      <div className="settings">
        <label>
          <span>Flavor</span>
          <select value={ask.flavor} onChange={({ target }) => onChange({ ...ask, flavor: target.value })}>
            <option value="">by source</option>
            {flavors.map(({ name, label }) => <option key={name} value={name}>{label}</option>)}
          </select>
        </label>
        <label>
          <span>Source</span>
          <select value={ask.source} onChange={({ target }) => onChange({ ...ask, source: target.value })}>
            <option value="">by flavor</option>
            {sources.map(({ name }) => <option key={name} value={name}>{name}</option>)}
          </select>
        </label>
        <label title={TIER_HINT}>
          <span>Tier up to</span>
          <select value={ask.tier} onChange={({ target }) => onChange({ ...ask, tier: target.value as Tier })}>
            {TIERS.map((tier) => <option key={tier}>{tier}</option>)}
          </select>
        </label>
        <label className="check">
          <input
            type="checkbox"
            checked={ask.materialize}
            onChange={({ target }) => onChange({ ...ask, materialize: target.checked })}
          />
          <span>Build RDF subgraph</span>
        </label>
        <div className="actions">
          <button type="button" className="quiet" disabled={!running} onClick={onStop}>Stop</button>
          <button type="submit" className="primary" disabled={ask.question.trim() === ''}>
            Ask <kbd aria-hidden="true">Ctrl ↵</kbd>
          </button>
        </div>
      </div>
      {ask.question === '' && examples.length > 0 && (
        <div className="examples">
          <span className="muted">Try</span>
          {examples.map(({ name, example }) => (
            <button
              key={name}
              type="button"
              className="chip-button"
              onClick={() => onAsk({ ...ask, question: example ?? '', flavor: name })}
            >
              {example}
            </button>
          ))}
        </div>
      )}
    </form>
  )
}
