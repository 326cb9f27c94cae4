import { expect, test } from 'vitest'
import { ByteWriter } from '#kit/byte-writer.ts'
import { findRuns, type QueryToken } from '#proxy/sentences/match.ts'
import { PostingListReader, PostingListWriter } from '#release/sentences/posting-list.ts'

/** A token said in each of some clips at every second position. */
function tokenAt(first: number, clips: number, timesAClip: number): QueryToken {
  const out = new ByteWriter()
  const writer = new PostingListWriter(out)
  for (let clip = 0; clip < clips; clip++)
    for (let i = 0; i < timesAClip; i++) writer.add(clip, first + i * 2)
  writer.end(() => {})
  const list = new PostingListReader(out.view(), 0)
  return { lists: [{ list, isExact: true }], sizeBytes: list.sizeBytes }
}

test.each([
  ['one token in many clips', () => [tokenAt(0, 100_000, 1)], 100_000],
  ['one token, said often in each clip', () => [tokenAt(0, 500, 200)], 500],
  ['a phrase', () => [tokenAt(0, 500, 200), tokenAt(1, 500, 200)], 500],
])('a search for %s gives way after 10,000 positions and clips', (_, tokens, clips) => {
  const run = findRuns(tokens())
  let turns = 1
  let step = run.next()
  for (; !step.done; step = run.next()) turns++
  expect(step.value.clips).toHaveLength(clips)
  expect(step.value.ends.at(-1)).toBe(100_000)
  expect(turns).toBeGreaterThanOrEqual(10)
})
