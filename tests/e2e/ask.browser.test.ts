/** The Ask page in a real browser, served by the real HTTP surface. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { axeFaults, findChromium, launch } from './browser.ts'
import { HOSTILE } from './fake-answer.ts'
import { buildConsole, startServer } from './server.ts'
import type { TestServer } from './server.ts'

const QUESTION = 'Which customers are at risk from crt-07, and why?'
const asked = (question: string) => `/ask?q=${encodeURIComponent(question)}`
const SUMMARIES = ['why · Customer, Resource', '2 rows', '12 neighbours, 2 hops', '3 facts, 2 rules', '3 claims, 1 dropped']

/** the states of the page, each with something that shows it has come */
const STATES = [
  ['/ask', '.chip-button'],
  [asked(QUESTION), '#subgraph-title'],
  [asked('deadline'), '.trouble'],
  [asked('unclear'), '#status-title'],
] as const

type Visit = BrowserContextOptions & { readonly at?: TestServer }

const texts = (page: Page, selector: string) => page.locator(selector).allTextContents()
const related = (page: Page, selector: string) =>
  page.locator(`${selector}[data-related="true"]`).evaluateAll((items) => items.map(({ id }) => id))
const stages = (page: Page) =>
  page.locator('.trace li').evaluateAll((items) =>
    items.map((item) => ['data-stage', 'data-state'].map((name) => item.getAttribute(name)).join(' ')),
  )

const chromium = findChromium()
if (chromium === undefined) console.warn('browser tests skipped: no Chromium found; name one in CHROMIUM')

describe.skipIf(chromium === undefined)('the Ask page', () => {
  let browser: Browser
  let server: TestServer
  let switchedOff: TestServer
  let removeConsole: () => void
  const open: Page[] = []
  const outside: string[] = []
  const complaints: string[] = []

  beforeAll(async () => {
    const { folder, remove } = await buildConsole()
    removeConsole = remove
    server = await startServer(folder)
    switchedOff = await startServer(folder, { searchEnabled: false })
    browser = await launch(chromium!)
  }, 60_000)
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(outside.splice(0), 'requests that left this machine').toEqual([])
    expect(complaints.splice(0), 'errors on the console').toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
    await switchedOff?.close()
    removeConsole?.()
  })

  async function visit(path: string, { at = server, ...options }: Visit = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', ...options })
    const page = await context.newPage()
    open.push(page)
    page.on('request', (request) => void (request.url().startsWith(at.url) || outside.push(request.url())))
    page.on('pageerror', (error) => void complaints.push(error.message))
    // the browser notes every reply above 399; the tests that provoke one look at the page instead
    page.on('console', (line) => {
      if (line.type() === 'error' && !/status of 4\d\d/.test(line.text())) complaints.push(line.text())
    })
    await page.goto(at.url + path)
    return page
  }

  it('shows each stage when it is done, while the next one works', async () => {
    const page = await visit(asked('forever'))
    await page.waitForSelector('[data-stage="plan"][data-state="done"]')
    expect(await stages(page)).toEqual([
      'plan done', 'execute running', 'relations waiting', 'reason waiting', 'synthesize waiting',
    ])
    expect(await page.getByRole('status').first().textContent()).toBe('plan done, 11 ms.')
  })

  it('ends with all stages in order and the answer', async () => {
    const page = await visit('/ask')
    await page.getByLabel('Your question').fill(QUESTION)
    await page.keyboard.press('Control+Enter')
    await page.waitForSelector('#evidence-title')
    expect(await stages(page)).toEqual(['plan done', 'execute done', 'relations done', 'reason done', 'synthesize done'])
    expect(await texts(page, '.trace .what')).toEqual(SUMMARIES)
    expect(await texts(page, '.sentence')).toHaveLength(3)
    expect(await page.getByRole('status').first().textContent()).toBe('Answer ready: ok, 3 claims.')
  })

  it('leads from a claim to its records, proof and SQL, and from a record back to its claims', async () => {
    const page = await visit(asked(QUESTION))
    await page.click('#claim-c2 .sentence')
    expect(await related(page, '.records > li')).toEqual(['record-1', 'record-3'])
    expect(await related(page, '.derivations > li')).toEqual(['fact-f1', 'fact-f2'])
    expect(await texts(page, 'mark')).toEqual(['"s"."resource_id" = ?'])

    await page.click('#claim-c1 .marker >> nth=1')
    expect(await related(page, '.records > li')).toEqual(['record-2'])
    expect(await page.evaluate('document.activeElement.id')).toBe('record-2')

    await page.click('#record-3 .record-name')
    expect(await related(page, '.claims > li')).toEqual(['claim-c2', 'claim-c3'])
    await page.click('#record-3 .about a >> nth=1')
    expect(await related(page, '.claims > li')).toEqual(['claim-c3'])
    await page.click('text=show all')
    expect(await page.locator('[data-related="true"]').count()).toBe(0)
  })

  it('shows the text of a record as text', async () => {
    const page = await visit(asked(QUESTION))
    await page.waitForSelector('#subgraph-title')
    expect(await page.locator('#record-2 .record-name').textContent()).toContain(HOSTILE)
    expect(await page.locator('td', { hasText: HOSTILE }).count()).toBeGreaterThan(1)
    expect(await page.locator('img[src="x"]').count()).toBe(0)
    expect(await page.title()).toBe('Ask · Wherefore')
  })

  it('asks once per question, whatever happens to the tab, and shows the same after a reload or the back button', async () => {
    const before = server.service.asked.length
    const page = await visit('/ask')
    await page.getByRole('button', { name: QUESTION }).click()
    await page.waitForSelector('#evidence-title')
    expect(page.url()).toContain('flavor=network-ops')
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await page.waitForTimeout(100)
    expect(server.service.asked.length - before).toBe(1)
    const shown = await page.innerText('.columns')
    await page.reload()
    await page.waitForSelector('#evidence-title')
    expect(await page.innerText('.columns')).toBe(shown)

    await page.getByRole('button', { name: 'Which of these have a gold agreement?' }).click()
    await vi.waitFor(() => expect(server.service.asked.length - before).toBe(3))
    await page.goBack()
    await page.waitForSelector('#evidence-title')
    expect(await page.getByLabel('Your question').inputValue()).toBe(QUESTION)
    expect(server.service.asked.at(-1)?.request).toMatchObject({
      question: QUESTION, flavor: 'network-ops', max_tier: 'Internal', materialize: true,
    })
  })

  it.each([
    ['salaries', 'Above the ceiling', 'above the ceiling Internal'],
    ['unicorn', 'Not in the vocabulary', 'mean nothing in this vocabulary'],
    ['nothing', 'Nothing found', 'No record fits'],
  ])('says what became of a question about %s', async (question, title, text) => {
    const page = await visit(asked(question))
    expect(await page.locator('#status-title').textContent()).toBe(title)
    expect(await page.locator('.notice').textContent()).toContain(text)
  })

  it('asks back, and asks again with the reading that was chosen', async () => {
    const page = await visit(asked('unclear'))
    await page.getByRole('button', { name: 'Customers at risk from crt-07' }).click()
    await page.waitForSelector('#evidence-title')
    expect(server.service.asked.at(-1)?.request.plan?.why?.predicate).toBe('at_risk')
  })

  it('shows a problem with its code and what to do, and can run again', async () => {
    const page = await visit(asked('deadline'))
    const card = page.getByRole('alert')
    await card.waitFor()
    for (const part of ['Stopped at its deadline', 'deadline_exceeded', 'execute', 'raise timeout_ms']) {
      expect(await card.textContent()).toContain(part)
    }
    const before = server.service.asked.length
    await page.getByRole('button', { name: 'Run again' }).click()
    await vi.waitFor(() => expect(server.service.asked.length).toBe(before + 1))
  })

  it('keeps what arrived when the stream is cut', async () => {
    const page = await visit('/ask')
    const stage = '{"stage":"plan","status":"done","ms":3,"intent":"list","classes":["Customer"]}'
    const body = `id: 1\nevent: run\ndata: {"run_id":"r"}\n\nid: 2\nevent: stage\ndata: ${stage}\n\nid: 3\nevent: claim\ndata: {`
    await page.route('**/api/search/stream', (route) => route.fulfill({ contentType: 'text/event-stream', body }))
    await page.getByLabel('Your question').fill('cut me')
    await page.getByRole('button', { name: 'Ask' }).click()
    expect(await page.getByRole('alert').textContent()).toContain('The connection was cut')
    expect(await page.getAttribute('[data-stage="plan"]', 'data-state')).toBe('done')
    await page.unroute('**/api/search/stream')
    await page.getByRole('button', { name: 'Run again' }).click()
    await page.waitForSelector('#evidence-title')
  })

  it('stops a search on the server as well', async () => {
    const page = await visit(asked('forever'))
    await page.waitForSelector('[data-stage="plan"][data-state="done"]')
    await page.getByRole('button', { name: 'Stop' }).click()
    expect(await page.locator('.notice h2').textContent()).toBe('Stopped')
    await vi.waitFor(() => expect(server.service.aborted).toContain('forever'), 1000)
  })

  it('queries the subgraph and shows what is wrong with a query', async () => {
    const page = await visit(asked(QUESTION))
    await page.getByRole('button', { name: 'Run query' }).click()
    expect(await page.getByRole('region', { name: 'Result of the query' }).textContent()).toBe('socu-1Acme Hosting')
    await page.getByLabel('SPARQL SELECT').fill('INSERT DATA {}')
    await page.getByRole('button', { name: 'Run query' }).click()
    expect(await page.getByRole('alert').textContent()).toContain('line 1, column 1')
  })

  it('explains how to switch search on, before and after a question', async () => {
    const page = await visit('/ask', { at: switchedOff })
    await page.waitForSelector('#search-off')
    await page.getByLabel('Your question').fill(QUESTION)
    await page.getByRole('button', { name: 'Ask' }).click()
    await page.waitForTimeout(200)
    expect(await texts(page, '#search-off')).toEqual(['Search is switched off'])
    expect(await page.locator('pre').textContent()).toBe('SERVICE_SEARCH=1 wherefore serve')
  })

  it.each(['light', 'dark'] as const)('has no accessibility fault in %s', async (colorScheme) => {
    const page = await visit('/ask', { colorScheme })
    for (const [path, wait] of STATES) {
      await page.goto(server.url + path)
      await page.waitForSelector(wait)
      if (path === asked(QUESTION)) {
        await page.click('#claim-c2 .sentence')
        for (const summary of await page.locator('summary').all()) await summary.click()
      }
      expect(await axeFaults(page), path).toEqual([])
    }
    const off = await visit('/ask', { colorScheme, at: switchedOff })
    await off.waitForSelector('#search-off')
    expect(await axeFaults(off)).toEqual([])
  }, 60_000)

  it('fits a screen of 320 pixels', async () => {
    const page = await visit('/ask', { viewport: { width: 320, height: 700 } })
    for (const [path, wait] of STATES) {
      await page.goto(server.url + path)
      await page.waitForSelector(wait)
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(320)
    }
  })
})
