/** The whole way in a real browser: the real console, the real HTTP surface, the real service, the example database. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serve } from '../../src/surfaces/http/index.ts'
import { QUESTION, type World, newWorld } from '../support.ts'
import { findChromium, launch } from './browser.ts'
import { buildConsole } from './server.ts'

const chromium = findChromium()
if (chromium === undefined) console.warn('browser tests skipped: no Chromium found; name one in CHROMIUM')

describe.skipIf(chromium === undefined)('the Ask page over the real service', () => {
  let world: World
  let browser: Browser
  let url: string
  let stop: () => Promise<void>
  const outside: string[] = []

  beforeAll(async () => {
    world = newWorld()
    world.change(`update alarm set title = '<img src=x onerror="document.title=1">' where id = 1`)
    const { folder, remove } = await buildConsole()
    let n = 0
    const serving = await serve(
      {
        service: world.service, config: world.project.config, enabled: () => true, clock: { now: () => performance.now() },
        ids: () => `r${(n += 1)}`, consoleDir: folder,
      },
      { port: 0 },
    )
    url = serving.url
    browser = await launch(chromium!)
    stop = async () => {
      await browser.close()
      await serving.close()
      await world.close()
      remove()
    }
  }, 60_000)
  afterAll(() => stop?.())

  async function asked(question: string): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    page.on('request', (request) => void (request.url().startsWith(url) || outside.push(request.url())))
    await page.goto(`${url}/ask?flavor=network-ops&q=${encodeURIComponent(question)}`)
    await page.waitForSelector('[data-stage="synthesize"]:not([data-state="waiting"]):not([data-state="running"])')
    return page
  }

  it('answers the flagship question, and a claim leads to its records', async () => {
    const page = await asked(QUESTION)
    await page.waitForSelector('#subgraph-title')
    const text = await page.locator('main').innerText()
    expect(text).toContain('Acme Retail is at risk from crt-07')
    expect(text).toContain('is degraded with two open critical alarms')
    const stages = await page.locator('.trace li').evaluateAll((items) => items.map((item) => item.getAttribute('data-stage')))
    expect(stages).toEqual(['plan', 'execute', 'relations', 'reason', 'synthesize'])
    await page.getByText('Acme Retail is at risk from crt-07').first().click()
    expect(await page.locator('[data-related="true"]').count()).toBeGreaterThan(3)
    expect(await page.title()).not.toBe('1')
    expect(outside).toEqual([])
    await page.close()
  })

  it('says what it does not know', async () => {
    const page = await asked('List the frobnicators')
    await page.waitForSelector('#status-title')
    expect(await page.locator('main').innerText()).toContain('"frobnicators"')
    await page.close()
  })
})
