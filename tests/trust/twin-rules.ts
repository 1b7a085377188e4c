/** Rules as one sees and writes them under a ceiling, also such that guess at tables and columns that are hidden there. */
import { className } from './twin-asks.ts'
import type { Channel } from './twin-channels.ts'
import { hiddenAt } from './twin-draft.ts'

const BASE = 'https://enterprise.example/ontology#'

export const rules: Channel = async ({ seen, draft, ceiling, size, askers }) => {
  const hidden = hiddenAt(draft, ceiling)
  const classes = [...hidden.tables, ...draft.tables].map(({ name }) => className(name))
  const columns = hidden.columns.map(([table, { name }]) => [className(table.name), `${className(table.name)}.${name}`] as const)
  const bodies = [
    ...classes.map((name) => `CONSTRUCT { ?x <${BASE}flagged> true } WHERE { ?x a <${BASE}${name}> }`),
    ...columns.map(([name, property]) => `CONSTRUCT { ?x <${BASE}flagged> ?y } WHERE { ?x a <${BASE}${name}> ; <${BASE}${property}> ?y }`),
  ]
  // one who sees everything has written some of them before
  for (const [at, body] of bodies.entries()) {
    if (at < 2) await seen.world.call('PUT', `/api/rules/above-${at}`, 'Restricted', { kind: 'sparql', body, tier: 'Restricted' })
  }
  const guesses = bodies.slice(0, size * 2)
  for (const [at, body] of [...guesses, ...guesses.map((each) => each.replace(/> \}$/, 'x> }'))].entries()) {
    const { who } = askers[at % 3]!
    const rule = { kind: 'sparql', body, tier: 'Public' }
    for (const path of ['validate', 'summarise']) await seen.post(`/api/rules/${path}`, ceiling, { kind: 'sparql', body })
    if (who !== ceiling) continue
    seen.reply('PUT a rule', await seen.world.call('PUT', '/api/rules/above-0', ceiling, rule))
    await seen.get('/api/rules/above-0', ceiling)
    seen.reply('DELETE a rule', await seen.world.call('DELETE', '/api/rules/above-0', ceiling))
    // the same by way of the session
    const { session } = (await seen.world.call('GET', '/api/session', ceiling)).json<{ session: { rules: object[] } }>()
    const sent = { session: { ...session, rules: [...session.rules, { id: 'guess', ...rule }] } }
    seen.reply('PUT /api/session with a rule', await seen.world.call('PUT', '/api/session', ceiling, sent))
    await seen.world.call('DELETE', '/api/rules/guess', ceiling)
  }
  for (const url of ['', '/coverage', '/library', '/library/rca', '/above-0', '/above-1', '/none']) await seen.get(`/api/rules${url}`, ceiling)
}
