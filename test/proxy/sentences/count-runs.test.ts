import fc from 'fast-check'
import { expect, test } from 'vitest'
import { windowSize } from '#proxy/sentences/candidates.ts'
import { countRuns } from '#proxy/sentences/count-runs.ts'
import { runsIn } from '#proxy/sentences/runs-in.ts'
import { gone } from '#proxy/sentences/sort-keys.ts'
import { ClipPositions } from '#release/sentences/clip-positions.ts'
import type { PostingList } from '#release/sentences/posting-list.ts'

function run<Result>(task: Generator<number, Result>): { result: Result; turns: number; work: number } {
  let turns = 1
  let work = 0
  let step = task.next()
  for (; !step.done; step = task.next(), turns++) work += step.value
  return { result: step.value, turns, work }
}

test('a search for a phrase yields again and again, and counts all positions as work', () => {
  const clips = 5_000
  const clipSize = 401
  const said = (first: number) =>
    Int32Array.from({ length: clips * 200 }, (_, i) => Math.floor(i / 200) * clipSize + first + (i % 200) * 2)
  const { result, turns, work } = run(
    countRuns([[said(0)], [said(1)]], {
      positions: new ClipPositions(Int32Array.from({ length: clips + 1 }, (_, clip) => clip * clipSize)),
      levels: new Uint8Array(clips),
    }),
  )
  expect(result.clips).toHaveLength(clips)
  expect(result.mostCount).toBe(200)
  expect(turns).toBeGreaterThanOrEqual(10)
  expect(work).toBeGreaterThanOrEqual(2 * clips * 200)
})

test('a query without tokens, or with one that is never said, finds nothing', () => {
  const clips = { positions: new ClipPositions(Int32Array.of(0, 10)), levels: new Uint8Array(1) }
  for (const tokens of [[], [[]], [[Int32Array.of(1)], []], [[Int32Array.of(1)], [new Int32Array()]]])
    expect(run(countRuns(tokens, clips)).result).toEqual({
      clips: new Uint32Array(),
      counts: new Uint32Array(),
      mostCount: 0,
    })
})

const clipCount = 12
/** Clip by clip the terms that are said there: few, so that phrases occur. Terms 0 to 4. */
const speech = fc.array(fc.array(fc.nat({ max: 4 }), { maxLength: 25 }), {
  minLength: clipCount,
  maxLength: clipCount,
})
/** Token by token the terms that match it, the first one exactly. */
const query = fc.array(fc.uniqueArray(fc.nat({ max: 4 }), { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 4,
})
/** How often each clip is said: speech fills several windows, or a part of one. */
const repetitions = fc.constantFrom(1, 1, 1, 40, 3_000)
/** What is said in front of the first clip, so that windows begin anywhere. */
const silence = fc.nat({ max: 3 * windowSize })

test('the runs counted, and found in each clip, are those of a plain scan', () => {
  fc.assert(
    fc.property(
      speech,
      query,
      fc.nat({ max: clipCount - 1 }),
      repetitions,
      silence,
      (spoken, wanted, away, times, first) => {
        const clips = spoken.map((said, i) => (i % 4 === 0 ? Array(times).fill(said).flat() : said))
        const positionAt = [first]
        for (const said of clips) positionAt.push(positionAt.at(-1)! + said.length + 1)
        const listOfTerm = (term: number): PostingList => {
          const positions: number[] = []
          for (const [clip, said] of clips.entries())
            for (const [i, each] of said.entries()) if (each === term) positions.push(positionAt[clip]! + i)
          return Int32Array.from(positions)
        }
        const tokens = wanted.map((terms) =>
          terms.map((term, i) => ({ list: listOfTerm(term), isExact: i === 0 })),
        )
        const runs = clips.map((said: number[]) =>
          [...said.keys()]
            .filter((from) => wanted.every((terms, i) => terms.includes(said[from + i]!)))
            .map((from) => ({
              position: from,
              isExact: wanted.every((terms, i) => terms[0] === said[from + i]),
            })),
        )
        const levels = new Uint8Array(clipCount)
        levels[away] = gone
        const lists = tokens.map((some) => some.map(({ list }) => list))
        const segment = { positionAt: Int32Array.from(positionAt) }
        const counted = run(
          countRuns(lists, { positions: new ClipPositions(segment.positionAt), levels }),
        ).result
        const expected = [...runs.entries()].filter(([clip, found]) => clip !== away && found.length > 0)
        expect([...counted.clips]).toEqual(expected.map(([clip]) => clip))
        expect([...counted.counts]).toEqual(expected.map(([, found]) => found.length))
        expect(counted.mostCount).toBe(Math.max(0, ...expected.map(([, found]) => found.length)))
        for (const [clip, found] of runs.entries()) expect(runsIn(clip, tokens, segment)).toEqual(found)
      },
    ),
    { seed: 5, numRuns: 300 },
  )
})
