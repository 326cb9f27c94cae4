import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type Axe from 'axe-core'
import type { BrowserContextOptions, Page } from 'playwright'
import { beforeAll, describe, expect, test } from 'vitest'
import { browserProgram, sharedBrowser } from '../harness/browser.ts'
import { hasAllFaultRounds } from '../harness/fault-rounds.ts'
import { sharedSiteService } from '../harness/site-service.ts'
import { emptyBoxes, printFaults, readDesign, type Design } from './design-faults.ts'
import { readPages } from './html.ts'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The pages that differ most from a page of text. */
const mainPages = ['/', '/guides/player/', '/reference/operations/listwordclips/', '/corpus/', '/explorer/']
const toolPages = ['/console/', '/usage/', '/signup/', '/key/']
const distinctPages = [...mainPages, ...toolPages]

const designWidths = [1280, 390] as const

/** A value that was read in a page. */
type Finding = { path: string; value: string }

describe.skipIf(!browserProgram || !hasAllFaultRounds)('the design of the site', () => {
  const service = sharedSiteService()
  const browser = sharedBrowser()
  let paths: string[]
  const designs: { path: string; width: number; design: Design }[] = []
  const printed: Finding[] = []

  beforeAll(async () => {
    const others = readPages().flatMap(({ path }) => (distinctPages.includes(path) ? [] : [path]))
    paths = [...distinctPages, ...others]
    await readDesigns()
  })

  /** Opens each page in turn, and returns the results of a function, each with the page's path. */
  async function walk(
    options: BrowserContextOptions,
    find: (page: Page) => Promise<string[]>,
    pages = paths,
  ): Promise<Finding[]> {
    await using context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
    const page = await context.newPage()
    const findings: Finding[] = []
    for (const path of pages) {
      await page.goto(service.origin + path)
      for (const value of await find(page)) findings.push({ path, value })
    }
    return findings
  }

  /** Reads every page on screens and paper in one walk, because loading takes most of the time. */
  async function readDesigns(): Promise<void> {
    const faults = await walk({ colorScheme: 'dark' }, async (page) => {
      const path = new URL(page.url()).pathname
      for (const width of designWidths) {
        await page.setViewportSize({ width, height: 900 })
        designs.push({ path, width, design: await page.evaluate(readDesign) })
      }
      await page.setViewportSize({ width: 700, height: 900 })
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
      const found = await page.evaluate(printFaults)
      await page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
      await page.setViewportSize({ width: 1280, height: 900 })
      return found
    })
    printed.push(...faults)
  }

  const faultsOf = (findings: readonly Finding[]) => findings.map(({ path, value }) => `${path}: ${value}`)

  /** Returns the values that occur, each with the first page that has it. */
  const valuesOf = (findings: readonly Finding[]) =>
    [...Map.groupBy(findings, ({ value }) => value)]
      .map(([value, [first]]) => `${value} (${first!.path})`)
      .sort()

  test.for([
    { width: designWidths[0], sizes: ['40px', '25.6px', '20px', '17.6px'], buttons: 1 },
    { width: designWidths[1], sizes: ['32px', '24px', '20px', '17.6px'], buttons: 2 },
  ])(
    'all pages share their heading sizes, focus style and two positions, at $width px',
    ({ width, sizes, buttons }) => {
      const read = (valuesIn: (design: Design) => readonly string[]): Finding[] =>
        designs
          .filter((each) => each.width === width)
          .flatMap(({ path, design }) => valuesIn(design).map((value) => ({ path, value })))
      const headings = read((design) => design.headings)
      const outlines = read((design) => design.outlines)
      // One line per page, because a page without the button also differs.
      const places = read((design) => [design.places.join(', ')])
      const [title, section, part, panel] = sizes
      const scale = new Set([`h1 ${title}`, `h2 ${section}`, `h2 ${panel}`, `h3 ${part}`, `h3 ${panel}`])
      expect(valuesOf(headings.filter(({ value }) => !scale.has(value)))).toEqual([])
      expect(new Set(headings.map(({ value }) => value)).has(`h1 ${title}`)).toBe(true)
      expect(valuesOf(outlines)).toEqual([valuesOf(outlines)[0]])
      expect(outlines[0]!.value).toMatch(/^solid 2px /)
      expect(valuesOf(places)).toEqual([valuesOf(places)[0]])
      expect(places[0]!.value.split(', ')).toHaveLength(buttons)
    },
  )

  test('no line begins with a mark that belongs to the code before it', () => {
    expect(
      designs.flatMap(({ path, width, design }) =>
        design.strandedMarks.map((each) => `${path} at ${width} px: ${each}`),
      ),
    ).toEqual([])
  })

  test('without scripts, every page shows its text and no empty box, and its menu starts with the same links', async () => {
    const options = { viewport: { width: 390, height: 900 }, javaScriptEnabled: false }
    const links: Finding[] = []
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

  test('on paper, nothing is cut off, and all text is dark, even in the dark theme', () => {
    expect(faultsOf(printed)).toEqual([])
  })

  test('the policy blocks none of the pages’ scripts', async () => {
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
  ])('axe accepts the main pages: $name', async ({ options }) => {
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
