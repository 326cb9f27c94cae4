import { setImmediate } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { ListCache } from '#proxy/sentences/list-cache.ts'
import { countRuns, PartPath, searchSegments } from '#proxy/sentences/search.ts'
import { atOnce, Job } from '#proxy/turns.ts'
import { partBytes } from '#release/sentences/layout.ts'
import { segmentOf } from '../../harness/segment.ts'

test('a search for a phrase yields repeatedly, and counts all positions as work', () => {
  const clipCount = 5_000
  const clipSize = 401
  const said = (first: number) =>
    Int32Array.from(
      { length: clipCount * 200 },
      (_, i) => Math.floor(i / 200) * clipSize + first + (i % 200) * 2,
    )
  const partOf = (unit: number) => {
    const positions = said(unit)
    return { from: unit, to: unit + 1, tokenCount: 1, exact: positions, all: positions, place: 0 }
  }
  const positionAt = Int32Array.from({ length: clipCount + 1 }, (_, clip) => clip * clipSize)
  const counting = countRuns(new PartPath([partOf(0), partOf(1)], 2), { positionAt })
  let [turns, work] = [1, 0]
  let step = counting.next()
  for (; !step.done; step = counting.next(), turns++) work += step.value
  expect(step.value.clips).toHaveLength(clipCount)
  expect(new Set(step.value.counts)).toEqual(new Set([200]))
  expect(turns).toBeGreaterThanOrEqual(10)
  expect(work).toBeGreaterThanOrEqual(2 * clipCount * 200)
})

/** Returns a part of one token between two units of a query. */
function partAt(from: number, to: number, all: number[], exact = all) {
  return { from, to, tokenCount: 1, exact: Int32Array.from(exact), all: Int32Array.from(all), place: 0 }
}

test('a phrase is found in which a word after the rarest one has another form', () => {
  const path = new PartPath([partAt(0, 1, [10]), partAt(1, 2, [11, 20], [20])], 2)
  const found = atOnce(countRuns(path, { positionAt: Int32Array.of(0, 30) }))
  expect(found).toEqual({ clips: Int32Array.of(0), counts: Int32Array.of(1) })
})

test('a run is the shortest one from its start, in whatever order positions are looked up', () => {
  const parts = [partAt(0, 2, [5, 9]), partAt(0, 1, [5, 9]), partAt(1, 2, [6, 10])]
  for (const ordered of [parts, parts.toReversed()]) {
    const path = new PartPath(ordered, 2)
    expect([9, 5].map((position) => path.endOf(position, 0, false))).toEqual([10, 6])
  }
})

test.each(['yes', 'no', 'maybe'])(
  'reads a list across several parts completely and once: %s',
  async (term) => {
    const clips = Array.from({ length: 600 }, (_, clip) => ({
      said: Array.from({ length: 200 + (clip % 100) }, () => ['yes', 'no', 'maybe']).flat(),
    }))
    const { segment, release, read } = segmentOf(clips)
    const cache = new ListCache()
    const [range] = segment.listsOf(term) as [{ from: number; to: number }]
    const [first, last] = [range.from, range.to - 1].map((at) => Math.floor(at / partBytes)) as [
      number,
      number,
    ]
    expect(first).toBeLessThan(last)
    const list = await cache.list(release, segment, term, new Job())
    expect(list).toHaveLength(clips.reduce((sum, { said }) => sum + said.length / 3, 0))
    // Part 0 is the head.
    const parts = Array.from({ length: last - first + 1 }, (_, i) => first + 1 + i)
    expect(read.map(({ part }) => part)).toEqual(parts)
    expect(await cache.list(release, segment, term, new Job())).toBe(list)
    expect(read).toHaveLength(parts.length)
  },
)

test('skips the list of another term with the same hash', async () => {
  const { segment, release } = segmentOf([{ said: ['yes', 'no', 'no'] }])
  const lists = ['yes', 'no', 'maybe'].flatMap((term) => segment.listsOf(term))
  segment.listsOf = () => lists
  const lengthOf = async (term: string) =>
    (await new ListCache().list(release, segment, term, new Job())).length
  expect(await Promise.all(['yes', 'no', 'maybe'].map(lengthOf))).toEqual([1, 2, 0])
})

test('a part that cannot be read during other searches fails only its own search', async () => {
  const { segment, release } = segmentOf([{ said: ['yes', 'no'] }])
  const broken = { ...release, read: () => Promise.reject(new Error('it is damaged')) }
  const unhandled = vi.fn<NodeJS.UnhandledRejectionListener>()
  process.on('unhandledRejection', unhandled)
  const others = new Job().run(workOf(1_000_000))
  await expect(new ListCache().list(broken, segment, 'yes', new Job())).rejects.toThrow('it is damaged')
  await others
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
})

function* workOf(units: number): Generator<number, void> {
  yield units
}

test('reads a token that is repeated in a query once in each segment', async () => {
  const { release, read } = segmentOf([{ said: Array.from({ length: 50 }, () => 'run') }])
  const terms = { tokenCount: 1, text: 'run', words: [] }
  const parts = Array.from({ length: 12 }, (_, i) => ({ from: i, to: i + 1, terms }))
  const query = { language: 'en', unitCount: 12, parts }
  const [found] = await searchSegments(query, release, new ListCache(), new Job())
  expect(found!.counts).toEqual(Int32Array.of(39))
  expect(read).toHaveLength(1)
})

test('looks up the parts of a long query in several turns of the event loop', async () => {
  const { release } = segmentOf([{ said: ['run'] }])
  const parts = Array.from({ length: 20_000 }, (_, i) => {
    const terms = { tokenCount: 1, text: `part ${i}`, words: [] }
    return { from: 0, to: 1, terms }
  })
  let turns = 0
  let isRunning = true
  const countTurns = async () => {
    for (; isRunning; await setImmediate()) turns++
  }
  const counting = countTurns()
  await searchSegments({ language: 'en', unitCount: 1, parts }, release, new ListCache(), new Job())
  isRunning = false
  await counting
  expect(turns).toBeGreaterThan(5)
})
