import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { operations } from '#contract/operations.ts'
import { browserProgram, startBrowser } from '../harness/browser.ts'
import { buildSiteTree, startSiteService, type SiteService } from '../harness/site-service.ts'
import { readPages } from './html.ts'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** One page of each kind. */
const kinds = [
  '/',
  '/quick-start/',
  '/guides/feed/',
  '/guides/errors/',
  '/reference/',
  '/reference/operations/listwordclips/',
  '/corpus/',
  '/console/',
  '/usage/',
  '/signup/',
  '/operate/commands/',
  '/decisions/006-the-site-is-built-from-the-release/',
]

describe.skipIf(!browserProgram)('in a browser', () => {
  vi.setConfig({ testTimeout: 240_000 })
  let folder: string
  let service: SiteService
  let browser: Browser
  let accounts = 0

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'clip-lookup-browser-'))
    await buildSiteTree()
    service = await startSiteService(folder)
    browser = await startBrowser()
  }, 300_000)

  afterAll(async () => {
    await browser?.close()
    await service?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** A page in a browser of its own, and what went wrong in it: errors of scripts, failed requests, requests to others. */
  async function openPage({ theme = 'light' as 'light' | 'dark', width = 1280 } = {}) {
    const context = await browser.newContext({ colorScheme: theme, viewport: { width, height: 900 } })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    const faults: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(`${page.url()}: ${message.text()}`)
    })
    page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`))
    page.on('requestfailed', (request) => {
      if (request.failure()?.errorText !== 'net::ERR_ABORTED') faults.push(`${request.url()} failed`)
    })
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.origin !== service.origin && !['data:', 'blob:'].includes(url.protocol))
        faults.push(`asks ${url.href}`)
    })
    return { page, faults }
  }

  async function signUp(page: Page): Promise<string> {
    await page.goto(`${service.origin}/signup/`)
    await page.getByLabel('Name of the account').fill(`visitor ${++accounts} of ${Date.now()}`)
    await page.getByRole('button', { name: 'Make a trial key' }).click()
    return await page.locator('#new-key').innerText()
  }

  test('each page loads without errors, failed requests or requests to others, and is no wider than a phone', async () => {
    const { page, faults } = await openPage({ width: 390 })
    for (const path of [...readPages().map((known) => known.path), '/signup/']) {
      if (path === '/404.html') continue
      await page.goto(service.origin + path, { waitUntil: 'networkidle' })
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      if (over > 0) faults.push(`${path} is ${over} pixels too wide`)
    }
    expect(faults).toEqual([])
  })

  test('no page sends more than 150 KB of scripts and styles, the search included', async () => {
    const { page } = await openPage()
    for (const path of kinds) {
      await page.goto(service.origin + path, { waitUntil: 'networkidle' })
      const sizes = await page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .filter(({ name }) => /\.(js|css)(\?|$)/.test(name))
          .map((entry) => (entry as PerformanceResourceTiming).encodedBodySize),
      )
      expect(
        sizes.reduce((sum, size) => sum + size, 0),
        path,
      ).toBeLessThanOrEqual(150_000)
    }
  })

  test('a path that leads nowhere gives the page that says so', async () => {
    const { page } = await openPage()
    const response = await page.goto(`${service.origin}/nowhere/`)
    expect(response!.status()).toBe(404)
    expect(await page.locator('h1').innerText()).toContain('404')
  })

  test('the search finds "exclude"', async () => {
    const { page, faults } = await openPage()
    await page.goto(`${service.origin}/`)
    await page.locator('button[data-open-modal]').click()
    await page.getByRole('dialog').locator('input').fill('exclude')
    const result = page.getByRole('dialog').locator('a', { hasText: 'Feed' }).first()
    await result.waitFor()
    expect(await result.getAttribute('href')).toMatch(/\/guides\/feed\//)
    expect(faults).toEqual([])
  })

  test('the console runs every operation on recorded answers, and sends nothing', async () => {
    const { page, faults } = await openPage()
    await openConsole(page)
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/v1')) faults.push(`sent ${request.url()}`)
    })
    for (const { id } of operations) {
      const answer = await send(page, id)
      expect(answer, id).toMatch(/^200 recorded answer$/)
    }
    expect(faults).toEqual([])
  })

  test('the console runs every operation with a fresh trial key, and shows its window', async () => {
    const { page, faults } = await openPage()
    const key = await signUp(page)
    await openConsole(page)
    await page.getByLabel('API key').fill(key)
    for (const { id } of operations) {
      const answer = await send(page, id)
      expect(answer, id).toMatch(/^200 live answer/)
    }
    await send(page, 'getFeed')
    expect(await page.locator('#console-answer .window').innerText()).toMatch(/^ ?\d+ of 60 requests left/)
    expect(await page.locator('#console-curl').innerText()).not.toContain(key)
    expect(page.url()).not.toContain(key)
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    )
    expect(stored).not.toContain(key)
    expect(faults).toEqual([])
  })

  test('a feed is walked card by card; the embed loads on a click, not before', async () => {
    const { page, faults } = await openPage()
    await page.route('https://www.youtube.com/**', (route) =>
      route.fulfill({ body: 'a player', contentType: 'text/html' }),
    )
    await openConsole(page)
    await send(page, 'getFeed')
    const cards = page.locator('.player-card')
    const first = await cards.first().innerText()
    expect(await cards.count()).toBe(3)
    expect(first).toMatch(/watch at the source/)
    expect(await cards.first().locator('.attribution a').getAttribute('href')).toContain('watch?v=')
    expect(await page.locator('.focus a').first().getAttribute('href')).toMatch(/[?&]t=\d+s/)
    await page.getByRole('button', { name: 'Next page' }).click()
    await vi.waitFor(async () => expect(await cards.first().innerText()).not.toBe(first))
    expect(faults).toEqual([])
    await page
      .getByRole('button', { name: /^Load the player/ })
      .first()
      .click()
    await page.locator('.player-card iframe').first().waitFor()
    expect(faults).toEqual([expect.stringMatching(/^asks https:\/\/www\.youtube\.com\/embed\//)])
  })

  test('a refusal is shown as one', async () => {
    const { page } = await openPage()
    await openConsole(page)
    await page.getByLabel('API key').fill('clk_no_such_key')
    expect(await send(page, 'getFeed')).toMatch(/^401 live answer/)
    expect(await page.locator('#console-answer .body').innerText()).toContain('invalid_key')
  })

  test('sign-up gives a key that works at once and is not shown twice', async () => {
    const { page, faults } = await openPage()
    const key = await signUp(page)
    expect(key).toMatch(/^clk_\w{38}$/)
    const response = await fetch(`${service.origin}/v1/usage`, {
      headers: { Authorization: `Bearer ${key}` },
    })
    expect(await response.json()).toMatchObject({ plan: 'trial', requests: 0, limit: 20 })
    await page.goto(`${service.origin}/signup/`)
    expect(await page.content()).not.toContain(key)
    await page.getByLabel('Name of the account').fill(`visitor ${accounts} of nobody`)
    expect(faults).toEqual([])
  })

  test('sign-up says what is wrong with a name', async () => {
    const { page } = await openPage()
    const name = `taken ${Date.now()}`
    for (const wanted of [/Your trial key/, /Get a trial key/]) {
      await page.goto(`${service.origin}/signup/`)
      await page.getByLabel('Name of the account').fill(name)
      await page.getByRole('button', { name: 'Make a trial key' }).click()
      await page.getByRole('heading', { level: 1, name: wanted }).waitFor()
    }
    expect(await page.getByRole('alert').innerText()).toMatch(/There is an account of this name already/)
    expect(await page.getByLabel('Name of the account').inputValue()).toBe(name)
  })

  test('the usage page shows what is spent', async () => {
    const { page, faults } = await openPage()
    const key = await signUp(page)
    for (const q of ['run', 'look']) {
      await fetch(`${service.origin}/v1/words?q=${q}`, { headers: { Authorization: `Bearer ${key}` } })
    }
    await page.goto(`${service.origin}/usage/`)
    await page.locator('#usage[data-ready]').waitFor()
    await page.getByLabel('API key').fill(key)
    await page.getByRole('button', { name: 'Show usage' }).click()
    const bar = page.getByRole('progressbar', { name: 'Look-ups spent' })
    await bar.waitFor()
    expect(await bar.getAttribute('aria-valuenow')).toBe('2')
    expect(await page.locator('#usage-answer').innerText()).toMatch(/2 of 20 look-ups spent, 18 left/)
    expect(faults).toEqual([])
  })

  test('everything can be done with the keyboard alone', async () => {
    const { page } = await openPage()
    await page.goto(`${service.origin}/signup/`)
    await tabTo(page, '#account')
    await page.keyboard.type(`keyboard ${Date.now()}`)
    await page.keyboard.press('Enter')
    const key = await page.locator('#new-key').innerText()
    await openConsole(page)
    await tabTo(page, '#console-key')
    await page.keyboard.type(key)
    await tabTo(page, '#console-operation')
    await page.keyboard.press('End')
    await tabTo(page, 'button.send')
    await page.keyboard.press('Enter')
    await page.locator('#console-answer .status.good').waitFor()
    await tabTo(page, '#console-answer pre.body')
    await page.goto(`${service.origin}/usage/`)
    await page.locator('#usage[data-ready]').waitFor()
    await tabTo(page, '#usage-key')
    await page.keyboard.type(key)
    await page.keyboard.press('Enter')
    await page.getByRole('progressbar', { name: 'Look-ups spent' }).waitFor()
    await page.goto(`${service.origin}/`, { waitUntil: 'networkidle' })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('exclude')
    await page.getByRole('dialog').locator('a', { hasText: 'Feed' }).first().waitFor()
  })

  for (const theme of ['light', 'dark'] as const) {
    for (const width of [1280, 390]) {
      test(`axe finds no serious fault, ${theme}, ${width} pixels wide`, async () => {
        const { page } = await openPage({ theme, width })
        const faults: string[] = []
        for (const path of kinds) {
          await page.goto(service.origin + path, { waitUntil: 'networkidle' })
          // The code blocks make themselves reachable by the keyboard once the page has settled.
          await page.waitForTimeout(300)
          if (path === '/console/') await send(page, 'getFeed', { isOpen: true })
          faults.push(...(await axeFaults(page)).map((fault) => `${path}: ${fault}`))
        }
        await signUp(page)
        faults.push(...(await axeFaults(page)).map((fault) => `a new key: ${fault}`))
        expect(faults).toEqual([])
      })
    }
  }

  async function openConsole(page: Page): Promise<void> {
    await page.goto(`${service.origin}/console/`)
    await page.locator('#console[data-ready]').waitFor()
  }

  /** Sends the first example of an operation and gives the line of its status. */
  async function send(page: Page, operation: string, { isOpen = false } = {}): Promise<string> {
    if (isOpen) await page.locator('#console[data-ready]').waitFor()
    await page.getByLabel('Operation').selectOption(operation)
    await page.getByRole('button', { name: 'Send' }).click()
    const line = page.locator('#console-answer .status-line')
    await line.waitFor()
    return await line.innerText()
  }
})

/** Goes on with the Tab key until an element has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 150; presses++) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`the Tab key does not lead to ${selector}`)
}

async function axeFaults(page: Page): Promise<string[]> {
  await page.evaluate(axeSource)
  return await page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: {
        run(): Promise<{
          violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[]
        }>
      }
    }
    const { violations } = await axe.run()
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(
        ({ id, nodes }) =>
          `${id} ×${nodes.length}: ${nodes[0]!.html.slice(0, 160)} — ${nodes[0]!.failureSummary.slice(0, 260)}`,
      )
  })
}
