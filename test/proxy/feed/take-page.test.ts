import { expect, test } from 'vitest'
import type { Level } from '#contract/levels.ts'
import { examinedPositionsMax } from '#contract/feed.ts'
import { Order } from '#proxy/feed/order.ts'
import { atOnce } from '#proxy/turns.ts'
import { takePage, type Page, type PageFilter } from '#proxy/feed/take-page.ts'
import { ClipFilter } from '#proxy/filter/clip-filter.ts'
import type { KnownQuery } from '#proxy/filter/read-known.ts'
import type { ClipTable } from '#release/clips/reader.ts'
import { packTermVector } from '#release/clips/term-vector.ts'
import { clipTableOf, someClipEntry } from '../../harness/clip-table.ts'

const clipCount = 25_000
const seed = 'monday'

/** Every 100th clip has level B1, and every 10,000th has C2. Every 7th clip is withdrawn. */
const levelOf = (ordinal: number): Level =>
  ordinal % 10_000 === 5 ? 'C2' : ordinal % 100 === 3 ? 'B1' : 'A1'
const isLive = (ordinal: number) => ordinal % 7 !== 0

const clips = tableOf(clipCount)
const order = new Order('en', seed, clipCount)
const shuffled = Array.from({ length: clipCount }, (_, position) => order.at(position)).filter(isLive)

const someTerm = { aloneCount: 1, tStartMs: 0, occurrenceCount: 1, runLength: 1, tokensBefore: 0 }

/** Returns all pages from the beginning of the shuffle. */
function pagesOf(filter: PageFilter, limit: number): Page[] {
  const pages: Page[] = []
  for (let position: number | null = 0; position !== null;) {
    const start = { boundValues: { language: 'en', seed }, domain: clipCount, position }
    const page: Page = atOnce(takePage(start, clips, filter, limit))
    pages.push(page)
    position = page.next
  }
  return pages
}

const ofLevel = (level: Level) => new ClipFilter({ clipLevel: [level] }, null, clips)

test('a page examines a bounded number of positions, and may be short or empty', () => {
  const pages = pagesOf(ofLevel('C2'), 20)
  expect(pages.map(({ next }) => next)).toEqual([examinedPositionsMax, 2 * examinedPositionsMax, null])
  expect(pages.flatMap(({ rows }) => rows)).toHaveLength(3)
  expect(pagesOf(ofLevel('A2'), 20).map(({ rows }) => rows.length)).toEqual([0, 0, 0])
})

test('a full page continues at the next clip that the filter accepts', () => {
  const [first] = pagesOf(ofLevel('B1'), 20)
  expect(first!.rows).toHaveLength(20)
  expect(levelOf(order.at(first!.next!))).toBe('B1')
})

test('a page that checks the words of long clips examines fewer of them', () => {
  const longClips = tableOf(clipCount, 900)
  const start = { boundValues: { language: 'en', seed }, domain: clipCount, position: 0 }
  const nothingKnown = { isFiltering: true, minKnownShare: 1, maxUnknown: 0 } as KnownQuery
  const examined = (table: ClipTable, known: KnownQuery | null) =>
    atOnce(takePage(start, table, new ClipFilter({ clipLevel: ['A2'] }, known, table), 20)).next!
  expect(examined(clips, nothingKnown)).toBe(examinedPositionsMax)
  expect(examined(longClips, null)).toBe(examinedPositionsMax)
  expect(examined(longClips, nothingKnown)).toBeLessThan(examinedPositionsMax / 2)
  expect(examined(longClips, nothingKnown)).toBeGreaterThan(1_000)
})

test('without a filter, a page is full however many clips it excludes', () => {
  const excluded = new Set(shuffled.slice(0, 15_000))
  const accepts = (row: number) => clips.isLive(row) && !excluded.has(row)
  const [page] = pagesOf({ isBounding: false, accepts, workOf: () => 100 }, 20)
  expect(page!.rows).toEqual(shuffled.slice(15_000, 15_020))
})

test('a page pauses after each share of its work, and stops at the end of its work', () => {
  const start = { boundValues: { language: 'en', seed }, domain: clipCount, position: 0 }
  const paging = takePage(start, clips, { isBounding: true, accepts: () => false, workOf: () => 150_000 }, 20)
  const pauses: number[] = []
  let step = paging.next()
  for (; !step.done; step = paging.next()) pauses.push(step.value)
  expect(pauses).toEqual(Array(19).fill(300_000))
  expect(step.value.next).toBe(40)
})

test('a walk that began with more clips than the release has, such as before a rollback, passes the others', () => {
  const start = { boundValues: { language: 'en', seed }, domain: clipCount + 5_000, position: 0 }
  const filter = { isBounding: false, accepts: (row: number) => clips.isLive(row), workOf: () => 100 }
  const { rows, next } = atOnce(takePage(start, clips, filter, clipCount))
  expect(rows.toSorted((a, b) => a - b)).toEqual(shuffled.toSorted((a, b) => a - b))
  expect(next).toBeNull()
})

function tableOf(count: number, termCount = 0): ClipTable {
  const ordinals = Array.from({ length: count }, (_, ordinal) => ordinal).filter(isLive)
  const terms = Array.from({ length: termCount }, (_, word) => ({ ...someTerm, word }))
  return clipTableOf(
    ordinals.map((ordinal) => someClipEntry(ordinal, { level: levelOf(ordinal) })),
    count,
    packTermVector(terms, []),
  )
}
