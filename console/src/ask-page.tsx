/** The Ask page: a question goes in, its stages arrive one by one, and the answer stands beside its evidence. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { AnswerView } from './answer-view.tsx'
import { setAccessToken } from './api.ts'
import { AskForm } from './ask-form.tsx'
import { SearchOff, TroubleCard } from './notices.tsx'
import { LiveStatus, Trace } from './trace.tsx'
import { readAsk, writeAsk } from './url-state.ts'
import type { Ask } from './url-state.ts'
import { useCatalogue } from './use-catalogue.ts'
import { useSearch } from './use-search.ts'
import type { Plan } from './wire.ts'

export function AskPage() {
  const [ask, setAsk] = useState<Ask>(() => readAsk(location.search))
  const [round, setRound] = useState(0)
  const catalogue = useCatalogue(round)
  const { run, start, stop } = useSearch()
  const asked = useRef<{ ask: Ask; plan?: Plan } | null>(null)

  const submit = useCallback((next: Ask, plan?: Plan) => {
    setAsk(next)
    asked.current = { ask: next, plan }
    const { question, flavor, source, tier, materialize } = next
    start({
      question,
      max_tier: tier,
      materialize,
      ...(flavor && { flavor }),
      ...(source && { db_path: source }),
      ...(plan && { plan }),
    })
  }, [start])

  const submitAndLink = (next: Ask, plan?: Plan) => {
    const address = `${location.pathname}${writeAsk(next)}`
    if (address !== `${location.pathname}${location.search}`) history.pushState(null, '', address)
    submit(next, plan)
  }

  useEffect(() => {
    const follow = () => {
      const next = readAsk(location.search)
      setAsk(next)
      if (next.question === '') stop()
      else submit(next)
    }
    if (readAsk(location.search).question !== '') follow()
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [submit, stop])

  const again = () => asked.current !== null && submit(asked.current.ask, asked.current.plan)
  const enter = (token: string) => {
    setAccessToken(token)
    setRound(round + 1)
    if (run.phase === 'failed') again()
  }
  const trouble = run.trouble ?? catalogue.trouble
  return (
    <>
      <a className="skip" href="#main">Skip to the question</a>
      <header>
        <a className="brand" href="/ask"><img src="/icon.svg" alt="" width="26" height="26" /> Wherefore</a>
        <nav aria-label="Pages"><a href="/ask" aria-current="page">Ask</a></nav>
      </header>
      <main id="main" tabIndex={-1}>
        <h1>Ask, and see why</h1>
        <p className="lead">
          A plain question over your database. Every sentence of the answer shows the record, the SQL and the rule it rests on.
        </p>
        <AskForm
          ask={ask}
          catalogue={catalogue}
          running={run.phase === 'running'}
          onChange={setAsk}
          onAsk={submitAndLink}
          onStop={stop}
        />
        <LiveStatus run={run} />
        {!catalogue.searchEnabled && trouble?.code !== 'search_disabled' && <SearchOff />}
        {trouble !== null && <TroubleCard trouble={trouble} onToken={enter} onAgain={run.trouble === null ? undefined : again} />}
        {run.phase === 'stopped' && (
          <section className="card notice">
            <h2>Stopped</h2>
            <p>What had arrived is kept below.</p>
            <button type="button" onClick={again}>Run again</button>
          </section>
        )}
        {run.phase !== 'idle' && (run.stages.length > 0 || run.phase === 'running') && <Trace run={run} />}
        {(run.claims.length > 0 || run.answer !== null) && (
          <AnswerView
            key={run.runId}
            run={run}
            onPlan={(plan) => submitAndLink(asked.current?.ask ?? ask, plan)}
            onFollowUp={(question) => submitAndLink({ ...ask, question })}
          />
        )}
      </main>
    </>
  )
}
