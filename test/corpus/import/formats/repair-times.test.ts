import { expect, test } from 'vitest'
import fc from 'fast-check'
import { CueTally } from '#corpus/import/cue-tally.ts'
import { repairTimes } from '#corpus/import/formats/repair-times.ts'
import { droppedCount } from '../dropped-count.ts'

const spoken = (text: string) => ({ text, raw: text, anchors: [] })

/** Repairs cues that are written as `start-end` or `start`, and returns them with the report. */
function repair(spans: string): string {
  const tally = new CueTally()
  const cues = spans.split(' ').map((span) => {
    const [tStart, tEnd] = span.split('-') as [string, string]
    return { tStart: Number(tStart), tEnd: tEnd === '' ? null : Number(tEnd), ...spoken(span) }
  })
  const repaired = repairTimes(cues, tally).map(({ tStart, tEnd }) => `${tStart}-${tEnd}`)
  const told = Object.entries({ ...tally.cues.dropped, ...tally.repairs })
  return [repaired.join(' '), ...told.map(([what, count]) => `${count} × ${what}`)].join('; ')
}

/** A rule, followed by cues and their repaired versions. */
const cases = `
what is in order stays, and so do a few overlaps and gaps
  0-1 1-3 2-4 60-61 → 0-1 1-3 2-4 60-61
an end before its start is where the next cue starts
  0-1 2-1 3-4 → 0-1 2-3 3-4; 1 × end before start: set to the next cue
start and end were exchanged where only that leaves room
  0-1 3-1.5 3-4 → 0-1 1.5-3 3-4; 1 × end before start: swapped
and a cue without room goes
  0-2 3-1.5 3-4 → 0-2 3-4; 1 × ends before it starts
no end: until the next cue, but no longer than anybody takes to say it
  0- 1- 60- → 0-1 1-3 60-62; 3 × end missing: set to the next cue
zero length: set to the next cue, unless that starts at once
  0-0 1-1 1-2 → 0-1 1-1 1-2; 1 × zero length: set to the next cue
a first cue out of place is put before the second
  739-741 4-6 6-8 8-9 → 2-4 4-6 6-8 8-9; 1 × start out of place: moved before the next cue
of two cues out of place together nobody knows which is which
  739-741 800-801 4-6 6-8 8-9 → 4-6 6-8 8-9; 2 × out of place
starts that go back a little are sorted
  0-2 3-4 2.5-3 5-6 → 0-2 2.5-3 3-4 5-6; 1 × starts out of order: sorted
where most cues reach into the next they end where it starts
  0-4 2-6 4-8 6-8 → 0-2 2-4 4-6 6-8; 3 × overlap: end set to the next cue
`

const rows = [...cases.matchAll(/^(\S.*)\n  (.*) → (.*)$/gm)].map(([, ...row]) => row)

test.each(rows)('%s', (_, spans, repaired) => expect(repair(spans!)).toBe(repaired))

test('for any times, starts never decrease, no end precedes its start, and every cue is accounted for', () => {
  const time = fc.integer({ min: 0, max: 40 })
  const span = fc.tuple(time, fc.option(time))
  fc.assert(
    fc.property(fc.array(span, { maxLength: 12 }), (spans) => {
      const tally = new CueTally()
      const cues = repairTimes(
        spans.map(([tStart, tEnd]) => ({ tStart, tEnd, ...spoken('a') })),
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
