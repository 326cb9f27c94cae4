import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countRuns } from '#proxy/sentences/count-runs.ts'
import { runsIn } from '#proxy/sentences/runs-in.ts'
import { gone } from '#proxy/sentences/sort-keys.ts'
import { mergeLists } from '#release/sentences/merge-lists.ts'
import type { PostingList } from '#release/sentences/posting-list.ts'

function listOf(clips: readonly (readonly [clip: number, positions: readonly number[]])[]): PostingList {
  const positionsAt = [0]
  for (const [, positions] of clips) positionsAt.push(positionsAt.at(-1)! + positions.length)
  return {
    clips: Uint32Array.from(clips, ([clip]) => clip),
    positionsAt: Uint32Array.from(positionsAt),
    positions: Uint32Array.from(clips.flatMap(([, positions]) => positions)),
  }
}

function run<Result>(task: Generator<void, Result>): { result: Result; turns: number } {
  let turns = 1
  let step = task.next()
  for (; !step.done; step = task.next()) turns++
  return { result: step.value, turns }
}

/** A token that each of some clips has at every second position. */
function tokenAt(first: number, clips: number, timesAClip: number): PostingList {
  const positions = Array.from({ length: timesAClip }, (_, i) => first + i * 2)
  return listOf(Array.from({ length: clips }, (_, clip) => [clip, positions]))
}

test('a search for a phrase yields again and again', () => {
  const tokens = [tokenAt(0, 5_000, 200), tokenAt(1, 5_000, 200)]
  const { result, turns } = run(countRuns(tokens, new Uint8Array(5_000)))
  expect(result.clips).toHaveLength(5_000)
  expect(result.mostCount).toBe(200)
  expect(turns).toBeGreaterThanOrEqual(10)
})

test('merging long lists yields again and again', () => {
  const { result, turns } = run(mergeLists([tokenAt(0, 5_000, 100), tokenAt(1, 5_000, 100)]))
  expect(result.clips).toHaveLength(5_000)
  expect(turns).toBeGreaterThanOrEqual(10)
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

test('the runs counted, and found in each clip, are those of a plain scan', () => {
  fc.assert(
    fc.property(
      speech,
      query,
      fc.nat({ max: clipCount - 1 }),
      fc.nat({ max: 80_000 }),
      (clips, wanted, away, first) => {
        const listOfTerm = (term: number) =>
          listOf(
            [...clips.entries()].flatMap(([clip, said]) => {
              const positions = [...said.keys()].filter((i) => said[i] === term).map((i) => first + i)
              return positions.length > 0 ? [[clip, positions] as const] : []
            }),
          )
        const tokens = wanted.map((terms) =>
          terms.map((term, i) => ({ list: listOfTerm(term), isExact: i === 0 })),
        )
        const runs = clips.map((said) =>
          [...said.keys()]
            .filter((from) => wanted.every((terms, i) => terms.includes(said[from + i]!)))
            .map((from) => ({
              position: first + from,
              isExact: wanted.every((terms, i) => terms[0] === said[from + i]),
            })),
        )
        const levels = new Uint8Array(clipCount)
        levels[away] = gone
        const unions = tokens.map((lists) => run(mergeLists(lists.map(({ list }) => list))).result)
        const counted = run(countRuns(unions, levels)).result
        const expected = [...runs.entries()].filter(([clip, found]) => clip !== away && found.length > 0)
        expect([...counted.clips]).toEqual(expected.map(([clip]) => clip))
        expect([...counted.counts]).toEqual(expected.map(([, found]) => found.length))
        for (const [clip, found] of runs.entries()) expect(runsIn(clip, tokens)).toEqual(found)
      },
    ),
    { seed: 5, numRuns: 500 },
  )
})
