import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type Axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { browserProgram, startBrowser } from '../harness/browser.ts'
import { hasAllFaultRounds } from '../harness/fault-rounds.ts'
import { buildSiteTree, startSiteService } from '../harness/site-service.ts'
import { emptyBoxes, printFaults, readDesign } from './design-faults.ts'
import { readPages } from './html.ts'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The pages that differ most from a page of text. */
const mainPages = ['/', '/guides/player/', '/reference/operations/listwordclips/', '/corpus/', '/explorer/']
const toolPages = ['/console/', '/usage/', '/signup/', '/key/']
const distinctPages = [...mainPages, ...toolPages]

describe.skipIf(!browserProgram || !hasAllFaultRounds)('the design of the site', () => {
  let folder: string
  let service: Awaited<ReturnType<typeof startSiteService>>
  let browser: Browser
  let paths: string[]

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'clip-lookup-design-'))
    await buildSiteTree()
    service = await startSiteService(folder)
    browser = await startBrowser()
    const others = readPages().flatMap(({ path }) => (distinctPages.includes(path) ? [] : [path]))
    paths = [...distinctPages, ...others]
  })

  afterAll(async () => {
    await browser?.close()
    await service?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Opens each page in turn, and gives what a function finds there, each with the page's path. */
  async function walk(
    options: BrowserContextOptions,
    find: (page: Page) => Promise<string[]>,
    pages = paths,
  ): Promise<{ path: string; value: string }[]> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    const findings: { path: string; value: string }[] = []
    for (const path of pages) {
      await page.goto(service.origin + path)
      for (const value of await find(page)) findings.push({ path, value })
    }
    return findings
  }

  const faultsOf = (findings: { path: string; value: string }[]) =>
    findings.map(({ path, value }) => `${path}: ${value}`)

  /** The values that occur, each with the first page where it does. */
  const valuesOf = (findings: { path: string; value: string }[]) =>
    [...Map.groupBy(findings, ({ value }) => value)]
      .map(([value, [first]]) => `${value} (${first!.path})`)
      .sort()

  test.for([
    { width: 1280, sizes: ['40px', '25.6px', '20px', '17.6px'], buttons: 1 },
    { width: 390, sizes: ['32px', '24px', '20px', '17.6px'], buttons: 2 },
  ])(
    'all pages share a scale of headings, a focus style and places of the search and the menu, at $width px',
    async ({ width, sizes, buttons }) => {
      const [title, section, part, panel] = sizes
      const places: { path: string; value: string }[] = []
      const outlines: { path: string; value: string }[] = []
      const headings = await walk({ viewport: { width, height: 900 } }, async (page) => {
        const path = new URL(page.url()).pathname
        const design = await page.evaluate(readDesign)
        outlines.push(...design.outlines.map((value) => ({ path, value })))
        // One line per page: a page without the button differs, too.
        places.push({ path, value: design.places.join(', ') })
        return design.headings
      })
      const scale = new Set([`h1 ${title}`, `h2 ${section}`, `h2 ${panel}`, `h3 ${part}`, `h3 ${panel}`])
      expect(valuesOf(headings.filter(({ value }) => !scale.has(value)))).toEqual([])
      expect(new Set(headings.map(({ value }) => value)).has(`h1 ${title}`)).toBe(true)
      expect(valuesOf(outlines)).toEqual([valuesOf(outlines)[0]])
      expect(outlines[0]!.value).toMatch(/^solid 2px /)
      expect(valuesOf(places)).toEqual([valuesOf(places)[0]])
      expect(places[0]!.value.split(', ')).toHaveLength(buttons)
    },
  )

  test('without scripts, every page shows its text and no empty box, and its menu begins with the same links', async () => {
    const options = { viewport: { width: 390, height: 900 }, javaScriptEnabled: false }
    const links: { path: string; value: string }[] = []
    const faults = await walk(options, async (page) => {
      const text = await page.locator('main').innerText()
      const boxes = await page.evaluate(emptyBoxes)
      await page.getByRole('button', { name: 'Menu' }).click()
      const menu = page.locator('#starlight__sidebar')
      const names = await menu.locator('.audiences a, .header-links a').allInnerTexts()
      links.push({ path: new URL(page.url()).pathname, value: names.join(', ') })
      return text.length < 150 ? [...boxes, `has only the text “${text}”`] : boxes
    })
    expect(faultsOf(faults)).toEqual([])
    expect(valuesOf(links)).toHaveLength(1)
    expect(links[0]!.value).toMatch(/Docs, Reference, Explorer, Console, Corpus, Get a key$/)
  })

  test('on paper, nothing is cut off, and all text is dark, in the dark theme, too', async () => {
    const options: BrowserContextOptions = { viewport: { width: 700, height: 900 }, colorScheme: 'dark' }
    const faults = await walk(options, async (page) => {
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
      const found = await page.evaluate(printFaults)
      await page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
      return found
    })
    expect(faultsOf(faults)).toEqual([])
  })

  test('the policy of the pages stops none of their scripts', async () => {
    const faults = await walk(
      {},
      async (page) =>
        await page.evaluate(() => {
          const observer = new ReportingObserver(() => {}, { types: ['csp-violation'], buffered: true })
          observer.observe()
          return observer.takeRecords().map(({ body }) => JSON.stringify(body))
        }),
      distinctPages,
    )
    expect(faultsOf(faults)).toEqual([])
  })

  test.for<{ name: string; options: BrowserContextOptions }>([
    { name: 'the light theme', options: { colorScheme: 'light' } },
    { name: 'the dark theme', options: { colorScheme: 'dark' } },
    { name: 'forced colours', options: { forcedColors: 'active' } },
    { name: 'forced colours of a dark theme', options: { forcedColors: 'active', colorScheme: 'dark' } },
  ])('axe finds nothing in the main pages: $name', async ({ options }) => {
    const faults = await walk(
      options,
      async (page) => {
        await page.evaluate(axeSource)
        return await page.evaluate(async () => {
          const { axe } = window as unknown as { axe: typeof Axe }
          const { violations } = await axe.run({ resultTypes: ['violations'], preload: false })
          return violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html.slice(0, 160)}`)
        })
      },
      distinctPages,
    )
    expect(faultsOf(faults)).toEqual([])
  })
})
