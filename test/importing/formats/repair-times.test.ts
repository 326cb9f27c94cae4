import { expect, test } from 'vitest'
import fc from 'fast-check'
import { CueTally } from '#importing/cue-tally.ts'
import { repairTimes } from '#importing/formats/repair-times.ts'
import { droppedCount } from '../dropped-count.ts'

/** What becomes of cues given as `[tStart, tEnd]`, and what is reported of it. */
function repair(...spans: [number, number | null][]) {
  const tally = new CueTally()
  const cues = spans.map(([tStart, tEnd], i) => ({ tStart, tEnd, text: `cue ${i}` }))
  const repaired = repairTimes(cues, tally).map(({ tStart, tEnd }) => [tStart, tEnd])
  return [repaired, { ...tally.dropped, ...tally.repairs }]
}

test('what is in order stays, and so do a few overlaps and gaps', () => {
  expect(repair([0, 1], [1, 3], [2, 4], [60, 61])).toEqual([[[0, 1], [1, 3], [2, 4], [60, 61]], {}]) // prettier-ignore
})

test('an end before its start is where the next cue starts', () => {
  expect(repair([0, 1], [2, 1], [3, 4])).toEqual([
    [
      [0, 1],
      [2, 3],
      [3, 4],
    ],
    { 'end before start: set to the next cue': 1 },
  ])
})

test('start and end were exchanged where only that leaves room', () => {
  expect(repair([0, 1], [3, 1.5], [3, 4])[1]).toEqual({ 'end before start: swapped': 1 })
  expect(repair([0, 2], [3, 1.5], [3, 4])).toEqual([
    [
      [0, 2],
      [3, 4],
    ],
    { 'ends before it starts': 1 },
  ])
})

test('no end: until the next cue, but no longer than anybody takes to say it', () => {
  expect(repair([0, null], [1, null], [60, null])).toEqual([
    [
      [0, 1],
      [1, 3],
      [60, 62],
    ],
    { 'end missing: set to the next cue': 3 },
  ])
})

test('zero length: set to the next cue, unless that starts at once', () => {
  expect(repair([0, 0], [1, 1], [1, 2])).toEqual([
    [
      [0, 1],
      [1, 1],
      [1, 2],
    ],
    { 'zero length: set to the next cue': 1 },
  ])
})

test('a first cue out of place is put before the second', () => {
  expect(repair([739, 741], [4, 6], [6, 8], [8, 9])).toEqual([
    [
      [2, 4],
      [4, 6],
      [6, 8],
      [8, 9],
    ],
    { 'start out of place: moved before the next cue': 1 },
  ])
})

test('of two cues out of place together nobody knows which is which', () => {
  expect(repair([739, 741], [800, 801], [4, 6], [6, 8], [8, 9])[1]).toEqual({ 'out of place': 2 })
})

test('starts that go back a little are sorted', () => {
  expect(repair([0, 2], [3, 4], [2.5, 3], [5, 6])).toEqual([
    [
      [0, 2],
      [2.5, 3],
      [3, 4],
      [5, 6],
    ],
    { 'starts out of order: sorted': 1 },
  ])
})

test('where most cues reach into the next they end where it starts', () => {
  expect(repair([0, 4], [2, 6], [4, 8], [6, 8])).toEqual([
    [
      [0, 2],
      [2, 4],
      [4, 6],
      [6, 8],
    ],
    { 'overlap: end set to the next cue': 3 },
  ])
})

test('whatever the times, starts do not go back, no end is before its start, and all cues are accounted for', () => {
  const time = fc.integer({ min: 0, max: 40 })
  const span = fc.tuple(time, fc.option(time))
  fc.assert(
    fc.property(fc.array(span, { maxLength: 12 }), (spans) => {
      const tally = new CueTally()
      const cues = repairTimes(
        spans.map(([tStart, tEnd]) => ({ tStart, tEnd, text: 'a' })),
        tally,
      )
      expect(cues.length + droppedCount(tally)).toBe(spans.length)
      for (const [i, cue] of cues.entries()) {
        expect(cue.tEnd).toBeGreaterThanOrEqual(cue.tStart)
        expect(cue.tStart).toBeGreaterThanOrEqual(cues[i - 1]?.tStart ?? 0)
      }
    }),
    { numRuns: 1000 },
  )
})
