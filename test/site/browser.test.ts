import { spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type Axe from 'axe-core'
import type { RunOptions } from 'axe-core'
import fastGlob from 'fast-glob'
import type { BrowserContext, Page } from 'playwright'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { ClipPlayer } from '#client/player/clip-player.ts'
import type { Corpus } from '#contract/corpus.ts'
import { operations } from '#contract/operations.ts'
import { browserProgram, sharedBrowser } from '../harness/browser.ts'
import { installClient } from '../harness/client-package.ts'
import { hasAllFaultRounds, longTest, shareOf } from '../harness/fault-rounds.ts'
import { nodes } from '../harness/nodes.ts'
import { sharedSiteService, siteUrl } from '../harness/site-service.ts'
import { examples, leadTo, startExampleServer, walkAsNewcomer } from './newcomer.ts'
import { readExamples, readPages } from './html.ts'
import { layoutFaults } from './layout-faults.ts'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const hasPython = spawnSync('python3', ['--version']).status === 0

/** One page of each kind. */
const kinds = [
  '/',
  '/guides/feed/',
  '/guides/limits/',
  '/reference/',
  '/reference/operations/listwordclips/',
  '/corpus/',
  '/explorer/',
  '/console/',
  '/usage/',
  '/signup/',
  '/key/',
  '/operate/serve/',
  '/decisions/006-the-site-is-built-from-the-release/',
  '/nowhere/',
]

/** Pages without the frame of the others. */
const bare = ['/404.html']

/** The page that answers a sign-up. */
const newKey = 'a new key'

const widths = [320, 390, 768, 900, 1280]
/** One width for each of the three layouts. */
const axeWidths = [320, 900, 1280]

/** A page on a busy machine may take a while. */
const patience = { timeout: 30_000 }

describe.skipIf(!browserProgram)('in a browser', () => {
  const service = sharedSiteService()
  const browser = sharedBrowser()
  /** One for all tests, so that the cache has what another tab has loaded. */
  let context: BrowserContext
  let accounts = 0

  beforeAll(async () => {
    context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
    })
  })

  /** Opens a tab, and records script errors, failed requests and requests to other sites. */
  async function openPage({ width = 1280, height = 900, within = context } = {}) {
    const page = await within.newPage()
    onTestFinished(() => page.close())
    await page.setViewportSize({ width, height })
    const faults: string[] = []
    page.on('console', (message) => {
      const isPage404 = message.text().includes('404') && page.url().endsWith('/nowhere/')
      if (message.type() === 'error' && !isPage404) faults.push(`${page.url()}: ${message.text()}`)
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

  /** Processes the items one by one in two tabs, for a machine with two processors. */
  async function inTwoTabs<T>(
    items: readonly T[],
    work: (item: T, tab: Awaited<ReturnType<typeof openPage>>) => Promise<void>,
  ): Promise<void> {
    const queue = items.values()
    const takeAll = async () => {
      const tab = await openPage()
      for (const item of queue) await work(item, tab)
    }
    await Promise.all([takeAll(), takeAll()])
  }

  async function signUp(page: Page): Promise<string> {
    await page.goto(`${service.origin}/signup/`)
    await page.getByLabel('Account name').fill(`visitor ${++accounts} of ${Date.now()}`)
    await page.getByRole('button', { name: 'Create a trial key' }).click()
    const key = await page.locator('#new-key').innerText()
    await page.waitForLoadState()
    return key
  }

  async function lookUpsOf(key: string): Promise<number> {
    const headers = { Authorization: `Bearer ${key}` }
    const response = await fetch(`${service.origin}/v1/usage`, { headers })
    return ((await response.json()) as { requests: number }).requests
  }

  async function openFinder(page: Page): Promise<void> {
    await page.goto(service.origin)
    await page.locator('#word-finder[data-ready]').waitFor()
  }

  async function openExplorer(page: Page): Promise<void> {
    await page.goto(`${service.origin}/explorer/`)
    await page.locator('#explorer[data-ready]').waitFor()
  }

  async function openConsole(page: Page, fragment = ''): Promise<void> {
    await page.goto(`${service.origin}/console/${fragment}`)
    await page.locator('#console[data-ready]').waitFor()
  }

  /** Sends the first example of an operation and returns the status line. */
  async function send(page: Page, operation: string): Promise<string> {
    await page.getByLabel('Operation', { exact: true }).selectOption(operation)
    return await pressSend(page)
  }

  async function pressSend(page: Page): Promise<string> {
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.locator('#console-status .status').waitFor()
    return await page.locator('#console-status').innerText()
  }

  test('every page loads without errors or requests to other sites, nothing is cut off, and axe accepts a page of each kind', async () => {
    const known = readPages().map(({ path }) => path)
    const others = known.filter((path) => !bare.includes(path) && !kinds.includes(path))
    const faults: string[] = []
    const visited = hasAllFaultRounds ? [...kinds, newKey, ...others] : kinds.slice(0, 2)
    await inTwoTabs(visited, async (path, tab) => {
      const { page } = tab
      if (path === newKey) await signUp(page)
      else await page.goto(service.origin + path)
      if (path === '/console/') await pressSend(page)
      if (path === '/') await page.getByRole('button', { name: /^Play “/ }).click()
      const place = [...kinds, newKey].indexOf(path)
      if (place >= 0) await page.evaluate(axeSource)
      // From one end to the other and, on the next page, back again.
      const order = hasAllFaultRounds ? (place >= 0 ? widths : [320, 900]) : axeWidths
      const isWide = page.viewportSize()!.width > order[0]!
      for (const width of isWide ? order.toReversed() : order) {
        await resize(page, width)
        const found = await page.evaluate(layoutFaults)
        if (place >= 0) found.push(...(await axeFaultsAt(page, width, place)))
        faults.push(...found.map((fault) => `${path}, ${width} px: ${fault}`))
      }
      faults.push(...tab.faults.splice(0).map((fault) => `${path}: ${fault}`))
    })
    expect(faults).toEqual([])
  })

  test('no page loads more than 150 KB of scripts and styles, including the search', async () => {
    const { page } = await openPage()
    for (const path of shareOf(['/', '/guides/feed/', '/console/'])) {
      await page.goto(service.origin + path, { waitUntil: 'networkidle' })
      const bytes = await page.evaluate(() => {
        const loaded = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
        const ours = loaded.filter(({ name }) => /\.(js|css)(\?|$)/.test(name))
        return ours.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
      })
      expect(bytes, path).toBeLessThanOrEqual(150_000)
    }
  })

  longTest('a missing page has links and a search that works with the arrow keys', async () => {
    const { page, faults } = await openPage()
    const response = await page.goto(`${service.origin}/nowhere/`)
    expect(response!.status()).toBe(404)
    expect(await page.locator('h1').innerText()).toContain('404')
    expect(await page.locator('main a').count()).toBeGreaterThan(3)
    await page.locator('main').getByRole('button', { name: 'Search these docs' }).click()
    const input = page.getByRole('dialog').getByRole('searchbox')
    const results = page.getByRole('dialog').locator('.results li')
    for (const [query, path] of [
      ['exclude', '/guides/feed/'],
      ['429', '/guides/limits/'],
      ['rate limit', '/guides/limits/'],
      ['python', '/guides/python-client/'],
      ['postman', '/console/'],
      ['youtube embed', '/guides/player/'],
      ['api key lost', '/guides/authentication/'],
    ] as const) {
      await input.fill(query)
      await results.locator(`a[href^="${path}"]`).first().waitFor({ timeout: 10_000 })
      const first = await results.evaluateAll((all) =>
        all.slice(0, 3).map((result) => new URL(result.querySelector('a')!.href).pathname),
      )
      expect(first, query).toContain(path)
    }
    const links = page.getByRole('dialog').locator('.results a')
    await input.fill('')
    await links.first().waitFor({ state: 'detached' })
    await input.fill('cursor')
    await links.nth(2).waitFor()
    const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')!))
    expect(paths.filter((path) => /^\/(operate|design|decisions)\//.test(path))).toEqual([])
    expect(await results.locator('span', { hasText: 'karaoke' }).count()).toBe(0)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect(await links.nth(1).evaluate((link) => link === document.activeElement)).toBe(true)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    expect(await input.evaluate((field) => field === document.activeElement)).toBe(true)
    expect(faults).toEqual([])
  })

  longTest('the search lists pages for the same readers first, and counts those for others', async () => {
    const { page, faults } = await openPage()
    await page.goto(`${service.origin}/operate/serve/`)
    await page.getByRole('button', { name: 'Search' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('searchbox').fill('cursor')
    const links = dialog.locator('.results a')
    /** Returns whether results are in the pages for operators: true, false, or both. */
    const parts = async () => {
      const paths = await links.evaluateAll((all) =>
        all.map((link) => new URL((link as HTMLAnchorElement).href).pathname),
      )
      return [...new Set(paths.map((path) => /^\/(operate|design|decisions)\//.test(path)))]
    }
    await vi.waitFor(async () => expect(await parts()).toEqual([true]), patience)
    const ownPages = dialog.getByRole('radio', { name: 'Run your own' })
    expect(await ownPages.isChecked()).toBe(true)
    const apiPages = dialog.getByRole('radio', { name: /^Use the API \([1-9]\d*\)$/ })
    await apiPages.check()
    await vi.waitFor(async () => expect(await parts()).toEqual([false]), patience)
    await ownPages.check()
    await vi.waitFor(async () => expect(await parts()).toEqual([true]), patience)
    expect(faults).toEqual([])
  })

  test('the front page completes, finds and plays words of every language without a request', async () => {
    const { page, faults } = await openPage({ width: 390 })
    reportRequests(page, faults)
    await openFinder(page)
    const choices = page.locator('#word-finder-choices button')
    expect(await choices.count()).toBe(5)
    const field = page.getByRole('combobox', { name: 'What do you want to hear?' })
    await field.fill('look')
    await page.getByRole('option', { name: /^look after/ }).waitFor()
    await page.evaluate(axeSource)
    faults.push(...(await axeFaults(page, { isWhole: false })), ...(await page.evaluate(layoutFaults)))
    await page.keyboard.press('Escape')
    expect(await page.getByRole('listbox').count()).toBe(0)
    await field.fill('running')
    const run = page.getByRole('option', { name: 'run', exact: false }).first()
    expect(await run.innerText()).toContain('run (running)')
    await page.keyboard.press('ArrowDown')
    expect(await field.getAttribute('aria-activedescendant')).toBe(await run.getAttribute('id'))
    await page.keyboard.press('Enter')
    await heading(page, /clips? with “run”/)
    expect(await field.getAttribute('aria-expanded')).toBe('false')
    await choices.last().click()
    await heading(page, `“${await choices.last().innerText()}”`)
    expect(await choices.last().getAttribute('aria-pressed')).toBe('true')
    await search(page, 'looks after')
    await heading(page, '“look after”, matched by “looks after”')
    expect(await page.locator('#word-finder-choices [aria-pressed="true"]').count()).toBe(0)
    expect(await page.locator('#word-finder-moments mark').first().innerText()).not.toBe('')
    const expected = 'GET /v1/words/looks%20after/clips?language=en&limit=20'
    expect(await page.locator('#word-finder-request .target').innerText()).toBe(expected)
    expect(await page.locator('#word-finder-request details').count()).toBeGreaterThan(5)
    const moments = page.locator('#word-finder-moments button')
    expect(await moments.count()).toBe(3)
    await page.getByRole('button', { name: /^Show \d+ clips$/ }).click()
    expect(await moments.count()).toBeGreaterThan(3)
    await page.getByRole('button', { name: 'Next match' }).click()
    expect(await moments.nth(1).getAttribute('aria-pressed')).toBe('true')
    await page.getByRole('button', { name: 'Previous match' }).click()
    expect(await moments.first().getAttribute('aria-pressed')).toBe('true')
    await search(page, 'bread')
    await heading(page, /clips? with “bread”/)
    await page.getByRole('button', { name: /^Play “/ }).click()
    await page.locator('#word-finder-player .lit').first().waitFor()
    await page.getByLabel('Language', { exact: true }).selectOption('ja')
    await heading(page, /clips? with “\p{Script=Han}/u)
    expect(faults).toEqual([])
  })

  longTest('the finder finds forms, readings, phrases and videos without a request', async () => {
    const { page, faults } = await openPage()
    reportRequests(page, faults)
    await openFinder(page)
    const language = page.getByLabel('Language', { exact: true })
    await language.selectOption('es')
    await search(page, 'gatos')
    await heading(page, /clips? with “gato”, matched by “gatos”/)
    await language.selectOption('ja')
    for (const spelling of ['ねこ', 'ネコ', 'neko']) {
      await search(page, spelling)
      await heading(page, `with “猫”, matched by “${spelling}”`)
    }
    const marked = page.locator('#word-finder-moments mark').first()
    await search(page, 'パン屋に行きます')
    await heading(page, 'in which “パン屋に行きます” is said')
    expect(await marked.innerText()).toBe('パン屋に行きます')
    await language.selectOption('ru')
    await search(page, 'пил чай')
    await heading(page, /clips in which “пил чай” is said/)
    await language.selectOption('en')
    await search(page, 'said to the king')
    await heading(page, 'No clips for “said to the king”')
    await search(page, 'school play')
    await heading(page, '1 clip in which “school play” is said')
    expect(await marked.innerText()).toBe('school play')
    const expected = 'GET /v1/sentences?q=school+play&language=en&limit=20'
    expect(await page.locator('#word-finder-request .target').innerText()).toBe(expected)
    const buttonsAfter = (label: string) => page.locator('#word-finder-answer p', { hasText: label })
    await search(page, 'lookk after')
    await heading(page, 'No clips for “lookk after”')
    await buttonsAfter('similar spelling').getByRole('button', { name: 'look after', exact: true }).click()
    await heading(page, 'clips with “look after”')
    await language.selectOption('tr')
    await search(page, 'cat')
    await buttonsAfter('that mean “cat”').getByRole('button', { name: 'kedi', exact: true }).click()
    await heading(page, /clips? with “kedi”/)
    await search(page, 'gatos')
    await buttonsAfter('another language').getByRole('button', { name: 'gato', exact: true }).click()
    await heading(page, /clips? with “gato”$/)
    expect(await language.inputValue()).toBe('es')
    for (const address of [
      `${service.origin}/sample-clips/?v=en-turn-left`,
      'https://youtu.be/en-turn-left',
      'www.youtube.com/watch?v=en-turn-left&t=3s',
    ]) {
      await search(page, address)
      await heading(page, 'Where Is the Station?')
      await language.selectOption('es')
    }
    await search(page, 'https://youtu.be/nowhere')
    await page.getByText('None of the sample clips has the video id nowhere.').waitFor()
    expect(faults).toEqual([])
  })

  longTest('the address of the front page contains the search, and Back returns to the last', async () => {
    const { page, faults } = await openPage()
    await openFinder(page)
    const first = await page.locator('#word-finder h2').innerText()
    expect(page.url()).toBe(`${service.origin}/`)
    await page.getByLabel('Language', { exact: true }).selectOption('es')
    // A search before the first word is shown would replace that word in the history.
    await page.waitForURL(/language=es&word=/)
    await search(page, 'gatos')
    await heading(page, '“gato”')
    expect(page.url()).toBe(`${service.origin}/?language=es&word=gatos`)
    await page.goBack()
    await page.goBack()
    await heading(page, first)
    expect(await page.getByLabel('Language', { exact: true }).inputValue()).toBe('en')
    await page.goForward()
    await page.goForward()
    await heading(page, '“gato”')
    await page.reload()
    await heading(page, '“gato”')
    expect(await page.getByRole('combobox', { name: 'What do' }).inputValue()).toBe('gatos')
    expect(faults).toEqual([])
  })

  longTest('with a key, the finder, the explorer and the console’s examples use no look-up', async () => {
    const { page, faults } = await openPage()
    const key = await signUp(page)
    await openFinder(page)
    await page.getByRole('combobox', { name: 'What do' }).pressSequentially('runnin')
    for (const text of ['bread', 'school play', 'qwertz', 'https://youtu.be/en-turn-left']) {
      await search(page, text)
      await heading(page, text.includes('//') ? 'Where Is the Station?' : text)
    }
    await openExplorer(page)
    await page.getByLabel('Begins with').pressSequentially('run')
    await page
      .locator('#explorer-list button', { hasText: /^\s*run/ })
      .first()
      .click()
    await page.locator('#explorer-clips button').first().click()
    await page.getByRole('radio', { name: 'Feed' }).check()
    await page.getByRole('heading', { name: 'Feed for a learner at A2' }).waitFor()
    expect(await page.getByLabel('Use my key').isVisible()).toBe(false)
    await openConsole(page)
    for (const { id } of operations) {
      await page.getByLabel('Operation', { exact: true }).selectOption(id)
      expect(await page.locator('#console-status').innerText(), id).toBe('200 recorded response')
    }
    expect(await lookUpsOf(key)).toBe(0)
    expect(await send(page, 'getUsage')).toMatch(/^200 live response/)
    expect(await page.locator('#console-cost').innerText()).toBe('Send uses no look-up')
    expect(await lookUpsOf(key)).toBe(0)
    await page.getByLabel('Operation', { exact: true }).selectOption('listWords')
    expect(await page.locator('#console-cost').innerText()).toBe('Send uses 1 of your look-ups')
    expect(await pressSend(page)).toMatch(/^200 live response/)
    expect(await lookUpsOf(key)).toBe(1)
    expect(faults).toEqual([])
  })

  longTest('with few previews, the finder uses a key only for other searches', async () => {
    const { page, faults } = await openPage()
    await showFewPreviews(page)
    await openFinder(page)
    await search(page, 'school play')
    await heading(page, '1 clip in which “school play” is said')
    await page.getByText('Without a key, this page searches only some of the clips.').waitFor()
    await search(page, 'look aftr')
    await heading(page, '“look aftr” needs a key')
    const key = await signUp(page)
    await openFinder(page)
    await page.getByRole('combobox', { name: 'What do' }).pressSequentially('the')
    await search(page, 'the')
    await heading(page, /clips with “the”/)
    expect(await lookUpsOf(key)).toBe(0)
    await search(page, 'quibble')
    await heading(page, /clips with “quibble”/)
    expect(await lookUpsOf(key)).toBe(1)
    await search(page, 'school play')
    await heading(page, '1 clip in which “school play” is said')
    const used = await lookUpsOf(key)
    expect(used).toBe(3)
    expect(await page.locator('[data-look-ups]').innerText()).toBe(`Look-ups used on this page: ${used}`)
    // A word that does not exist is a 404, which the browser reports.
    expect(faults.filter((fault) => !fault.includes('404'))).toEqual([])
  })

  longTest('with a key, the explorer completes the text by one request after a pause', async () => {
    // An installed clock applies to every page of its context.
    const own = await browser.newContext()
    onTestFinished(() => own.close())
    const { page, faults } = await openPage({ within: own })
    await showFewPreviews(page)
    await signUp(page)
    await page.clock.install()
    await openExplorer(page)
    const sent: string[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      const q = searchParams.get('q')
      if (pathname === '/v1/words' && q !== null) sent.push(q)
    })
    await page.getByLabel('Use my key').check()
    await page.clock.pauseAt(Date.now() + 3_600_000)
    const field = page.getByLabel('Begins with')
    const run = page.locator('#explorer-list button', { hasText: /^\s*run\b/ })
    await field.pressSequentially('run')
    await page.clock.runFor(200)
    await run.waitFor()
    await field.pressSequentially('n')
    await page.clock.runFor(200)
    await vi.waitFor(() => expect(sent).toEqual(['run', 'runn']), patience)
    await field.press('Backspace')
    await page.clock.runFor(200)
    await run.waitFor()
    expect(sent).toEqual(['run', 'runn'])
    expect(faults).toEqual([])
  })

  test('the explorer leads from a word to a clip that plays, and its address opens the same view', async () => {
    const { page, faults } = await openPage()
    await openExplorer(page)
    await page.getByLabel('Level').selectOption('B1')
    await page.locator('#explorer-list button', { hasText: /^\s*look after/ }).click()
    await page.getByRole('heading', { name: 'Clips with “look after”', exact: true }).waitFor()
    await page.locator('#explorer-clips button').nth(1).click()
    await page.locator('#explorer-player .lit').first().waitFor()
    const title = await page.locator('#explorer-clip-title').innerText()
    expect(await page.locator('#explorer-code').innerText()).toContain('/v1/words/')
    const { page: other, faults: otherFaults } = await openPage()
    await other.goto(page.url())
    await other.getByRole('heading', { name: title, exact: true }).waitFor()
    await other.getByRole('radio', { name: 'Feed' }).check()
    await other.getByRole('heading', { name: 'Feed for a learner at B1' }).waitFor()
    expect(await other.locator('#explorer-clips button').count()).toBeGreaterThan(2)

    // This clip has readings and translations, each with a switch.
    await page.getByLabel('Language').selectOption('ja')
    await page.getByLabel('Level').selectOption('A2')
    await page.locator('#explorer-list button', { hasText: /^\s*散歩/ }).click()
    await page.locator('#explorer-clips button').first().click()
    for (const [name, text] of [
      ['Readings', page.locator('#explorer-player rt', { hasText: 'さんぽ' })],
      ['Translations', page.locator('#explorer-player').getByText('in the habit of taking a walk')],
    ] as const) {
      const button = page.locator('#explorer-player').getByRole('button', { name })
      await button.waitFor()
      const before = await text.isVisible()
      await button.click()
      expect(await text.isVisible(), name).toBe(!before)
      await button.click()
      expect(await text.isVisible(), name).toBe(before)
    }
    expect([...faults, ...otherFaults]).toEqual([])
  })

  longTest('marking words as known in the explorer suggests clips, even after a reload', async () => {
    const { page, faults } = await openPage()
    await page.goto(`${service.origin}/guides/known-words/`)
    await page.getByRole('link', { name: '“Words you know” in the explorer' }).click()
    const note = page.locator('#explorer-note', { hasText: 'Your selection is stored' })
    await note.waitFor()
    const followedCount = async () => {
      const [, followed, all] = /follow (\d+) of (\d+) clips/.exec(await note.innerText())!
      return { followed: Number(followed), all: Number(all) }
    }
    await page.getByRole('heading', { name: 'Words above A2' }).waitFor()
    const { followed: countAtA2, all } = await followedCount()
    expect(countAtA2).toBeGreaterThan(0)
    const word = page.locator('#explorer-list li').first()
    const newIn = page.locator('#explorer-clips button', {
      hasText: `${await word.locator('strong').innerText()}: `,
    })
    expect(await newIn.count()).toBeGreaterThan(0)
    const noteBefore = await note.innerText()
    await word.getByRole('checkbox').check()
    await vi.waitFor(async () => expect(await newIn.count()).toBe(0), patience)
    expect(await note.innerText()).not.toBe(noteBefore)

    await page.getByLabel('New words in a clip').selectOption('0')
    await vi.waitFor(async () => expect((await followedCount()).followed).toBeLessThan(countAtA2), patience)
    await page.getByLabel('All words up to').selectOption('B1')
    await page.getByRole('heading', { name: 'Words above B1' }).waitFor()
    await vi.waitFor(async () => expect((await followedCount()).followed).toBeGreaterThan(0), patience)
    await page.evaluate(() => {
      for (const box of document.querySelectorAll<HTMLInputElement>('#explorer-list input'))
        if (!box.checked) box.click()
    })
    await vi.waitFor(async () => expect((await followedCount()).followed).toBe(all), patience)
    const clips = page.locator('#explorer-clips button')
    expect(await clips.filter({ hasText: '100% known' }).count()).toBe(await clips.count())
    await page.reload()
    await page.locator('#explorer-list input:checked').first().waitFor()
    await page.locator('#explorer-code', { hasText: /known=B1,\d+,/ }).waitFor()
    expect(faults).toEqual([])
    await page.evaluate(() => localStorage.clear())
  })

  longTest('the explorer pages through whole lists, and Back returns from view to view', async () => {
    const { page, faults } = await openPage()
    await openExplorer(page)
    const words = page.locator('#explorer-list button')
    const clips = page.locator('#explorer-clips button')
    const showAll = async (label: string, lines: typeof words) => {
      const more = page.getByRole('button', { name: label })
      while (await more.isVisible()) {
        const count = await lines.count()
        await more.click()
        await vi.waitFor(async () => expect(await lines.count()).toBeGreaterThan(count), patience)
      }
      return await lines.count()
    }
    const response = await fetch(`${service.origin}/v1/corpus`)
    const { languages } = (await response.json()) as Corpus
    const english = languages.find(({ language }) => language === 'en')!
    expect(await showAll('More words', words)).toBe(english.wordsWithClips)
    await words.last().click()
    const lastWord = await words.last().locator('strong').innerText()
    await page.getByRole('heading', { name: `Clips with “${lastWord}”` }).waitFor()
    await page.getByRole('radio', { name: 'Feed' }).check()
    await page.getByRole('heading', { name: 'Feed for a learner at A2' }).waitFor()
    expect(await page.locator('#explorer-list-title').isVisible()).toBe(false)
    expect(await showAll('More clips', clips)).toBe(english.clipCount)
    await clips.last().click()
    const title = await clips.last().locator('strong').innerText()
    const clipHeading = page.getByRole('heading', { name: title, exact: true })
    await clipHeading.waitFor()
    const link = page.url()

    await page.goBack()
    await vi.waitFor(async () => expect(await clipHeading.count()).toBe(0), patience)
    await page.goBack()
    await page.getByRole('heading', { name: `Clips with “${lastWord}”` }).waitFor()
    await page.getByLabel('Begins with').fill('lo')
    await page.getByRole('heading', { name: 'Words that begin with “lo”' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: `Clips with “${lastWord}”` }).waitFor()
    expect(await page.getByLabel('Begins with').inputValue()).toBe('')

    const { page: other } = await openPage()
    await other.goto(link)
    await other.getByRole('heading', { name: title, exact: true }).waitFor()
    expect(faults).toEqual([])
  })

  longTest('with a key, the explorer reads the list of words page by page', async () => {
    const { page, faults } = await openPage()
    const key = await signUp(page)
    await showFewPreviews(page)
    await openExplorer(page)
    await page.getByLabel('Use my key').check()
    const words = page.locator('#explorer-list button')
    const note = page.locator('#explorer-note')
    await vi.waitFor(async () => expect(await note.innerText()).toBe(''), patience)
    expect(await words.count()).toBe(100)
    await page.getByRole('button', { name: 'More words' }).click()
    await vi.waitFor(async () => expect(await words.count()).toBe(200), patience)
    expect(await lookUpsOf(key)).toBe(3)
    expect(faults).toEqual([])
  })

  longTest('only the player of a page that was started last plays', async () => {
    const { page } = await openPage()
    await openConsole(page)
    const players = page.locator('clip-player')
    for (const index of [0, 1, 0]) {
      const player = players.nth(index)
      await player.getByRole('button', { name: /^Play( “|$)/ }).click()
      await player.getByRole('button', { name: 'Pause' }).waitFor()
    }
    const playing = await players.evaluateAll((all) => all.map((player) => (player as ClipPlayer).isPlaying))
    expect(playing).toEqual([true, false, false])
  })

  longTest('a word chosen on the front page is not replaced by a late response', async () => {
    const { page } = await openPage()
    await showFewPreviews(page)
    await signUp(page)
    const release = await holdBack(page, '**/v1/words/qwertz/**')
    await openFinder(page)
    await search(page, 'qwertz')
    const choice = page.locator('#word-finder-choices button').last()
    await choice.click()
    await release()
    expect(await page.locator('#word-finder h2').innerText()).toContain(`“${await choice.innerText()}”`)
  })

  longTest('text typed on the front page while a language’s words load is kept', async () => {
    const { page } = await openPage()
    await openFinder(page)
    const release = await holdBack(page, '**/preview/es/words.json')
    await page.getByLabel('Language', { exact: true }).selectOption('es')
    const field = page.getByRole('combobox', { name: 'What do' })
    await field.fill('gatos')
    await release()
    await page.locator('#word-finder-choices [lang=es]').first().waitFor()
    expect(await field.inputValue()).toBe('gatos')
  })

  longTest('without a key, the console shows recorded responses and sends nothing', async () => {
    const { page, faults } = await openPage()
    await openConsole(page)
    reportRequests(page, faults)
    expect(await page.locator('#console-answer .clip-card').count()).toBe(3)
    await page.getByRole('button', { name: 'Copy the response' }).click()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(JSON.parse(copied)).toHaveProperty('items')
    await page.locator('#field-limit').fill('500')
    expect(await pressSend(page)).toBe('400 recorded response')
    expect(await page.locator('#console-answer .error-card').innerText()).toContain('limit')
    await openConsole(page)
    for (const { id } of operations) {
      expect(await send(page, id), id).toBe('200 recorded response')
      expect((await page.locator('#console-answer .cards').innerText()).length, id).toBeGreaterThan(20)
    }
    expect(await page.locator('#console-history li').count()).toBe(operations.length)
    await page.getByLabel('Operation', { exact: true }).selectOption('listWords')
    await page.locator('#field-q').fill('zebra')
    expect(await pressSend(page)).toBe('Not sent because this request needs a key')
    expect(await page.locator('#console-answer').innerText()).toContain('There is no recorded response')
    await page.locator('#console-answer .error-card button').first().click()
    await page.locator('#console-status .status.good').waitFor()
    expect(faults).toEqual([])
  })

  test('text of a response stays text in the console, in a name, an attribute and a list', async () => {
    const { page, faults } = await openPage()
    await signUp(page)
    const text = `"'><img src=x onerror="document.title = 'run'"><template>`
    const words = [{ word: text, level: text, meaning: text, clipCount: 1, forms: [text] }]
    const error = { code: text, message: text, parameter: text }
    await page.route('**/v1/words?**', (route) => route.fulfill({ json: { words, error, [text]: text } }))
    await openConsole(page)
    await send(page, 'listWords')
    const cards = page.locator('#console-answer .cards')
    expect(await cards.locator('strong', { hasText: text }).count()).toBe(2)
    expect(await cards.getByRole('link').getAttribute('href')).toBe(`/guides/errors/#${text}`)
    expect(await page.locator('#console-answer :is(img, template)').count()).toBe(0)
    expect(faults).toEqual([])
  })

  longTest('the console shows a feed card by card, and loads the player only on a click', async () => {
    const { page, faults } = await openPage()
    await openConsole(page)
    await send(page, 'getFeed')
    const cards = page.locator('.clip-card')
    const first = await cards.first().innerText()
    expect(await cards.count()).toBe(3)
    const source = page.waitForEvent('popup')
    await cards.first().getByRole('link', { name: 'Watch at the source' }).click()
    const about = await source
    await about.getByRole('heading', { level: 1, name: 'About the sample clips' }).waitFor()
    expect(new URL(about.url()).origin).toBe(new URL(page.url()).origin)
    await about.close()
    expect(await page.locator('.timeline a').first().getAttribute('href')).toMatch(/#t=\d/)
    await page.getByRole('button', { name: 'Next page' }).click()
    await vi.waitFor(async () => expect(await cards.first().innerText()).not.toBe(first), patience)
    expect(await page.locator('iframe').count()).toBe(0)
    await page
      .getByRole('button', { name: /^Play “/ })
      .first()
      .click()
    await page.locator('.clip-card .lit').first().waitFor()
    expect(faults).toEqual([])
  })

  test('sign-up gives a working key, which the quick start, the console and the usage page use without showing it', async () => {
    const { page, faults } = await openPage()
    const key = await signUp(page)
    const masked = `${key.slice(0, 4)}…${key.slice(-4)}`
    expect(key).toMatch(/^clk_\w{38}$/)
    expect(await lookUpsOf(key)).toBe(0)
    await page.reload()
    await page.getByRole('heading', { name: 'This tab still has your key' }).waitFor()
    expect(await page.locator('#kept-key pre').innerText()).toBe(masked)

    await page.goto(`${service.origin}/quick-start/`)
    const button = page.locator('[data-code*="export CLIP_LOOKUP_KEY="]')
    expect(await button.getAttribute('data-code')).toBe(`export CLIP_LOOKUP_KEY=${key}`)
    expect(await page.locator('main').innerText()).not.toContain(key)

    await page.getByRole('link', { name: 'console' }).first().click()
    await page.locator('#console[data-ready]').waitFor()
    for (const { id } of shareOf(operations)) expect(await send(page, id), id).toMatch(/^200 live response/)
    expect(await send(page, 'getFeed')).toMatch(/\d+ of 60 left this minute$/)
    expect(await page.locator('#console-mode').innerText()).toContain(masked)
    expect(await page.locator('body').innerText()).not.toContain(key)
    expect(page.url()).not.toContain(key)
    const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, document.cookie]))
    expect(stored).not.toContain(key)
    expect(faults).toEqual([])
    await page.locator('#field-limit').fill('500')
    expect(await pressSend(page)).toMatch(/^400 live response/)

    const used = await lookUpsOf(key)
    await page.goto(`${service.origin}/usage/`)
    const bar = page.getByRole('progressbar', { name: 'Look-ups used' })
    await bar.waitFor()
    expect(await bar.getAttribute('value')).toBe(String(used))
    const text = `${used} of 20 look-ups used, ${20 - used} left`
    expect(await page.locator('#usage-answer').innerText()).toContain(text)

    await openConsole(page)
    await page.getByRole('button', { name: 'Forget it now' }).click()
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain(key)
    expect(await send(page, 'getFeed')).toBe('200 recorded response')
    expect(faults.filter((fault) => !fault.includes('400'))).toEqual([])
  })

  longTest('an operation opened in the console is not replaced by a late response', async () => {
    const { page } = await openPage()
    await signUp(page)
    const release = await holdBack(page, '**/v1/feed**')
    await openConsole(page)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByLabel('Operation', { exact: true }).selectOption('listWords')
    await release()
    expect(await page.locator('#console-status').innerText()).toBe('200 recorded response')
    expect(await page.locator('#console-answer .word-cards').count()).toBe(1)
  })

  longTest('Send and the status stay visible, and the response receives the focus', async () => {
    for (const width of [390, 1280]) {
      const { page } = await openPage({ width, height: 800 })
      await openConsole(page)
      await send(page, 'listWords')
      for (const scrolled of [0, 400, 100_000]) {
        await page.evaluate((top) => scrollTo(0, top), scrolled)
        for (const element of ['.send', '#console-status']) {
          const box = (await page.locator(element).first().boundingBox())!
          expect(box.y >= 0 && box.y + box.height <= 800, `${width} px, ${element}`).toBe(true)
        }
      }
      await pressSend(page)
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('console-answer-title')
      const { y } = (await page.locator('#console-answer-title').boundingBox())!
      expect(y).toBeLessThan(400)
    }
  })

  longTest('a link opens the console with a request, but never contains the key', async () => {
    const { page } = await openPage()
    await page.goto(`${service.origin}/reference/operations/listwords/`)
    await page.getByRole('link', { name: 'Try it' }).click()
    await page.locator('#console[data-ready]').waitFor()
    expect(await page.locator('#field-limit').inputValue()).toBe('5')
    await page.getByLabel('API key').fill('clk_not_a_key_of_anybody')
    await page.locator('#field-q').fill('look after')
    const link = await page.evaluate(() => location.href)
    expect(link).toContain('#listWords?')
    expect(link).not.toContain('clk_')
    const { page: other } = await openPage()
    await other.goto(link)
    await other.locator('#console[data-ready]').waitFor()
    expect(await other.locator('#field-q').inputValue()).toBe('look after')
    expect(await other.getByLabel('API key').inputValue()).toBe('')
  })

  longTest('Back and Forward move between requests in the console, with their responses', async () => {
    const { page, faults } = await openPage()
    await openConsole(page)
    const limit = page.locator('#field-limit')
    const status = page.locator('#console-status')
    await send(page, 'listWords')
    await limit.fill('50')
    await limit.fill('500')
    expect(await pressSend(page)).toBe('400 recorded response')
    await page.goBack()
    await vi.waitFor(async () => expect(await limit.inputValue()).toBe('5'), patience)
    expect(await status.innerText()).toBe('200 recorded response')
    expect(await page.locator('#console-answer .word-cards li').count()).toBeGreaterThan(0)
    await page.goForward()
    await vi.waitFor(async () => expect(await limit.inputValue()).toBe('500'), patience)
    expect(await status.innerText()).toBe('400 recorded response')
    await page.goBack()
    await page.goBack()
    await page.locator('#console-answer .clip-card').first().waitFor()
    const operation = page.getByLabel('Operation', { exact: true })
    expect(await operation.inputValue()).toBe('getFeed')
    expect(faults).toEqual([])
  })

  test('the console marks the field that caused a refusal, with the message, until it is changed', async () => {
    const { page } = await openPage()
    await signUp(page)
    await openConsole(page)
    const more = page.locator('#console-fields details')
    expect(await more.getAttribute('open')).toBeNull()
    await more.locator('summary').click()
    const field = page.getByLabel('maxDurationS')
    await field.fill('0')
    expect(await more.locator('summary').innerText()).toMatch(/^\d+ more parameters \(1 set\)$/)
    await more.locator('summary').click()
    expect(await pressSend(page)).toMatch(/^400 live response/)
    await vi.waitFor(async () => expect(await field.getAttribute('aria-invalid')).toBe('true'), patience)
    expect(await field.evaluate((input) => input === document.activeElement)).toBe(true)
    const message = page.locator('.field-fault:visible')
    expect(await message.innerText()).toContain('maxDurationS must be a whole number')
    const describedBy = (await field.getAttribute('aria-describedby'))!.split(' ')
    expect(describedBy).toContain(await message.getAttribute('id'))
    await field.fill('30')
    expect(await page.locator('[aria-invalid], .field-fault:visible').count()).toBe(0)

    await page.getByLabel('Operation', { exact: true }).selectOption('getWord')
    await page.getByLabel('word').fill('qwertz')
    expect(await pressSend(page)).toMatch(/^404 live response/)
    expect(await page.getByLabel('word').getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('API key').fill('clk_not_a_key_of_anybody')
    expect(await pressSend(page)).toMatch(/^401 live response/)
    expect(await page.getByLabel('API key').getAttribute('aria-invalid')).toBe('true')
    expect(await page.locator('[aria-invalid]').count()).toBe(1)
  })

  longTest('the response is next to the request; its JSON folds, and marks Japanese text', async () => {
    const { page } = await openPage({ width: 1440 })
    await openConsole(page, '#listWords?limit=5&level=A1%2CA2&gloss=ja')
    await page.locator('#field-limit').scrollIntoViewIfNeeded()
    expect(await page.locator('#console-fields details').getAttribute('open')).toBeNull()
    const request = (await page.locator('#console .request').boundingBox())!
    const tree = page.locator('#console-answer .json-tree')
    const box = (await tree.boundingBox())!
    expect(box.x).toBeGreaterThan(request.x + request.width)
    expect(box.x + box.width).toBeGreaterThan(1380)
    expect(box.y).toBeGreaterThan(0)
    expect(box.y).toBeLessThan(900)
    expect(await page.locator('#console-answer .word-cards [lang="ja"]').count()).toBe(5)
    const meaning = tree.locator('.text[lang="ja"]:visible')
    await meaning.first().waitFor()
    expect(await meaning.count()).toBe(1)
    await page.getByRole('button', { name: 'Unfold all' }).click()
    expect(await meaning.count()).toBe(5)
    await page.getByRole('button', { name: 'Fold all', exact: true }).click()
    expect(await meaning.count()).toBe(0)
    await tree.getByText('5 items').click()
    await tree.locator('details details details > summary').first().click()
    await meaning.waitFor()
    expect(await meaning.evaluate((text) => getComputedStyle(text).fontFamily)).toContain('Noto Sans JP')
  })

  test.runIf(hasAllFaultRounds && hasPython)(
    'a newcomer gets from the front page to a working script',
    async () => {
      const { page, faults } = await openPage()
      const startedMs = performance.now()
      expect(await walkAsNewcomer(page, service.origin, service.folder)).toHaveLength(8)
      console.log(`the walk took ${((performance.now() - startedMs) / 1000).toFixed(1)} s`)
      expect(faults).toEqual([])
    },
  )

  test('the guide’s word page costs two look-ups for a word that is played, and one for each further search', async () => {
    const key = await service.newKey('word page')
    await using own = await startExampleServer(service.origin, key, service.folder)
    const page = await context.newPage()
    onTestFinished(() => page.close())
    await leadTo(page, service.origin)
    await page.goto(own.origin)
    await page.getByRole('button', { name: /^Play “/ }).click()
    await page.locator('.lit').first().waitFor()
    expect(await lookUpsOf(key)).toBe(2)
    for (const word of ['run', 'look after']) {
      await page.getByLabel('Word').fill(word)
      await page.getByRole('button', { name: 'Find clips' }).click()
      await page.getByRole('status').getByText(word).waitFor()
    }
    expect(await lookUpsOf(key)).toBe(3)
  })

  longTest('the other examples of the guides run on the server of the word page', async () => {
    const key = await service.newKey('examples')
    const options = { node: nodes.at(-1)! }
    await using own = await startExampleServer(service.origin, key, service.folder, options)
    const page = await context.newPage()
    onTestFinished(() => page.close())
    await leadTo(page, service.origin)
    await page.goto(`${own.origin}/transcript.html?clip=en-turn-left`)
    await page.getByRole('button', { name: /^Play “/ }).click()
    await page.locator('.lit').first().waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText(/\((A|B|C)\d\): /).waitFor()
    await page.goto(`${own.origin}/review.html`)
    await page.getByRole('button', { name: /^Play “/ }).waitFor()
    const word = await page.locator('h1').innerText()
    // Not a word of the transcript, because the line of a clip may also contain "Good".
    await page.locator('button', { hasText: /^Good$/ }).click()
    const isNext = async () => expect(await page.locator('h1').innerText()).not.toBe(word)
    await vi.waitFor(isNext, patience)
    for (const path of ['words?q=run', 'words?ids=1', 'sentences?q=look', 'clips?ids=v'])
      expect((await fetch(`${own.origin}/api/${path}`)).status, path).toBe(200)
    const refused = await fetch(`${own.origin}/api/usage`)
    expect([refused.status, (await fetch(`${own.origin}/../server.mjs`)).status]).toEqual([404, 404])
  })

  longTest('the HTML in the guides works on a page of another server', async () => {
    const app = join(service.folder, 'app')
    installClient(app)
    copyFileSync(join(examples, 'client', 'server.mjs'), join(app, 'server.mjs'))
    const key = await service.newKey('html')
    await using own = await startExampleServer(service.origin, key, service.folder, { folder: app })
    const files = fastGlob.sync('**/*.html', { cwd: examples, absolute: true })
    // Other tests load the examples that are files to copy.
    const copies = new Set(files.map((file) => readFileSync(file, 'utf8').trim()))
    const allBlocks = readExamples(readPages())
    const blocks = allBlocks.filter(({ language, code }) => language === 'html' && !copies.has(code.trim()))
    const here = (text: string) => text.replaceAll(siteUrl, service.origin).replaceAll('/ID', '/en-turn-left')
    const page = await context.newPage()
    onTestFinished(() => page.close())
    await leadTo(page, service.origin)
    // The visible text of each element.
    const visible = {
      '<clip-finder': page.getByRole('combobox'),
      '<clip-player': page.getByRole('button', { name: /^Play “/ }),
      '<iframe': page.frameLocator('iframe').getByRole('button').first(),
    }
    const script = blocks.map(({ code }) => /<script.*clip-player.*\n/.exec(code)?.[0]).find(Boolean)!
    const tags: string[] = []
    for (const { code } of blocks) {
      const [tag, locator] = Object.entries(visible).find(([name]) => code.includes(name))!
      // The second example of the player continues the page of the first.
      const html = code.startsWith('<clip-player') ? script + code : code
      writeFileSync(join(app, 'page.html'), here(html))
      await page.goto(`${own.origin}/page.html`)
      await locator.waitFor()
      tags.push(tag)
    }
    expect(tags.sort()).toEqual(['<clip-finder', '<clip-player', '<clip-player', '<iframe'])
    const adapter = allBlocks.find(({ code }) => code.includes('ClipPlayer.adapters'))!
    // The last page has no player, and so loads its module with this script.
    await page.addScriptTag({ type: 'module', content: here(adapter.code) })
    await page.waitForFunction(
      () => (customElements.get('clip-player') as typeof ClipPlayer | undefined)?.adapters.length === 2,
    )
  })

  longTest('everything can be done with the keyboard alone', async () => {
    const { page } = await openPage()
    await page.goto(`${service.origin}/signup/`)
    await tabTo(page, '#account')
    await page.keyboard.type(`keyboard ${Date.now()}`)
    await page.keyboard.press('Enter')
    await page.locator('#new-key').waitFor()
    await openConsole(page)
    await tabTo(page, '#console-operation')
    await page.keyboard.press('End')
    await tabTo(page, 'button.send')
    await page.keyboard.press('Enter')
    await page.locator('#console-status .status.good').waitFor()
    await tabTo(page, '#console-answer .json-tree')
    await page.goto(`${service.origin}/usage/`)
    await page.getByRole('progressbar', { name: 'Look-ups used' }).waitFor()
    await page.goto(`${service.origin}/`, { waitUntil: 'networkidle' })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('exclude')
    await page.getByRole('dialog').locator('a', { hasText: 'Feed' }).first().waitFor()
  })
})

/** Searches for a text with the finder of the front page. */
async function search(page: Page, text: string): Promise<void> {
  await page.getByRole('combobox', { name: 'What do you want to hear?' }).fill(text)
  await page.getByRole('button', { name: 'Find clips' }).click()
}

/** Waits for a heading. */
async function heading(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('heading', { name }).first().waitFor()
}

/** Reports every request that the page sends to the API as a fault. */
function reportRequests(page: Page, faults: string[]): void {
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/v1')) faults.push(`sent ${request.url()}`)
  })
}

/** Makes the front page and the explorer those of a site whose previews have few words. */
async function showFewPreviews(page: Page): Promise<void> {
  await page.route(/^http:\/\/[^/]+\/(explorer\/)?(\?|$)/, async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace(/ data-complete(="\w*")?(?=[ >])/, '')
    await route.fulfill({ response, body })
  })
  await page.route('**/preview/*/words.json', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: ((await response.json()) as object[]).slice(0, 100) })
  })
}

/** Holds requests back until the returned function is called, which waits for the response. */
async function holdBack(page: Page, url: string): Promise<() => Promise<void>> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await released
    await route.continue()
  })
  return async () => {
    const answered = page.waitForResponse(url)
    release()
    await (await answered).finished()
    // The page has read it and drawn the result.
    await page.evaluate(() => new Promise((done) => setTimeout(done, 100)))
  }
}

/** Changes the width of the window and waits until the page's scripts have noticed. */
async function resize(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 })
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))
}

async function setTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.evaluate((wanted) => (document.documentElement.dataset.theme = wanted), theme)
}

/** Presses the Tab key until an element has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 150; presses++) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`the Tab key does not lead to ${selector}`)
}

/**
 * Returns what axe finds at a width in a page of each kind: in one layout by all rules, and in
 * another one in dark colours, which affect only the rule of contrasts. Each layout is used for a
 * third of the kinds. The first page is checked in all layouts with its frame, which is the same on
 * all pages.
 */
async function axeFaultsAt(page: Page, width: number, place: number): Promise<string[]> {
  const layout = axeWidths.indexOf(width)
  const isWhole = kinds[place] === '/guides/feed/'
  const isTurnOf = (number: number) => layout >= 0 && (isWhole || number % axeWidths.length === layout)
  const found: string[] = []
  if (isTurnOf(place)) found.push(...(await axeFaults(page, { isWhole })))
  if (!isTurnOf(place + 1)) return found
  await setTheme(page, 'dark')
  const dark = await axeFaults(page, { isWhole, rules: ['color-contrast'] })
  await setTheme(page, 'light')
  return [...found, ...dark.map((fault) => `dark: ${fault}`)]
}

/**
 * Returns the faults that axe finds in a page by all rules or by `rules`. The page already contains
 * the source of axe. The sidebar is checked only if `isWhole`, because it is the same everywhere.
 */
async function axeFaults(
  page: Page,
  { isWhole, rules }: { isWhole: boolean; rules?: string[] },
): Promise<string[]> {
  return await page.evaluate(
    async ({ exclude, runOnly }) => {
      const { axe } = window as unknown as { axe: typeof Axe }
      // Without the preload, which would fetch styles of other origins: there are none.
      const options: RunOptions = { resultTypes: ['violations'], preload: false, ...(runOnly && { runOnly }) }
      const { violations } = await axe.run({ exclude }, options)
      return violations.map(
        ({ id, nodes: [first, ...others] }) =>
          `${id} ×${others.length + 1}: ${first!.html.slice(0, 160)} — ${first!.failureSummary?.slice(0, 200)}`,
      )
    },
    { exclude: isWhole ? [] : [['nav.sidebar']], runOnly: rules },
  )
}
