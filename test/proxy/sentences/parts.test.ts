import { expect, test } from 'vitest'
import { openTerms, type Query } from '#proxy/sentences/open-query.ts'
import { SegmentCache } from '#proxy/sentences/segment-cache.ts'
import { sentencesPath } from '#release/paths.ts'
import type { Release } from '#release/release.ts'
import { partBytes, segmentName } from '#release/sentences/layout.ts'
import { Segment } from '#release/sentences/reader.ts'
import { packSpeech } from '#release/sentences/speech.ts'
import { partsOf } from '#release/sentences/segment-pieces.ts'
import { SegmentWriter } from '#release/sentences/writer.ts'

const clipCount = 1_200

/** Clip i says "yes" 200 to 299 times, with "no" after the first one in every seventh clip. */
function speechOf(clip: number): string[] {
  const said = Array.from({ length: 200 + (clip % 100) }, () => 'yes')
  return clip % 7 === 0 ? said.toSpliced(1, 0, 'no') : said
}

function makeSegment() {
  const writer = new SegmentWriter()
  for (let clip = 0; clip < clipCount; clip++) {
    const said = speechOf(clip)
    const cues = [{ sizeBytes: 100, tokenCount: said.length }]
    const speech = { isInTimeOrder: true, firstCueAt: 0, cues, sentenceStarts: [] }
    writer.add(clip, 1, packSpeech(speech, said))
  }
  const { head, body, clips, tokens } = writer.finish()
  const parts = partsOf(body)
  const entry = { language: 'en', digest: 'd'.repeat(64), parts: parts.length, clips, tokens }
  return { segment: new Segment(head, entry), parts }
}

/** A release with nothing but this segment. */
function releaseOf(segment: Segment, parts: readonly Uint8Array[], isAsync: boolean) {
  const read: { part: number; from: number; to: number }[] = []
  const paths = parts.map((_, i) => sentencesPath('en', segmentName(segment.entry), i + 1))
  const readRange = (path: string, from: number, to: number) => {
    const part = paths.indexOf(path)
    read.push({ part, from, to })
    const bytes = Buffer.from(parts[part]!.subarray(from, to))
    return isAsync ? Promise.resolve(bytes) : bytes
  }
  return { release: { readRange } as unknown as Release, read }
}

function queryOf(...tokens: string[]): Query {
  return { language: 'en', terms: tokens.map((token) => [token]) }
}

test.each([
  ['at once', false],
  ['later', true],
])('a list that crosses two parts is read whole, where parts come %s', async (_, isAsync) => {
  const { segment, parts } = makeSegment()
  const { release, read } = releaseOf(segment, parts, isAsync)
  const cache = new SegmentCache()
  const [range] = segment.listsOf(Buffer.from('yes')) as [{ from: number; to: number }]
  expect(Math.floor(range.from / partBytes)).toBeLessThan(Math.floor((range.to - 1) / partBytes))

  const [token] = await openTerms(queryOf('yes'), segment, release, cache)
  const { list } = token![0]!
  const countIn = (clip: number) =>
    list.filter(
      (position) => position >= segment.positionAt[clip]! && position < segment.positionAt[clip + 1]!,
    ).length
  expect(list).toHaveLength(
    Array.from({ length: clipCount }, (__, clip) => 200 + (clip % 100)).reduce((a, b) => a + b),
  )
  for (const clip of [0, 1, 7, 600, clipCount - 1]) expect(countIn(clip)).toBe(200 + (clip % 100))
  expect(read.map(({ part }) => part)).toEqual([0, 1])
  expect(read[0]!.to).toBe(partBytes)
  expect(read[1]!.from).toBe(0)

  await openTerms(queryOf('yes', 'yes'), segment, release, cache)
  expect(read).toHaveLength(2)
})

test('a cached block does not keep the part that it was read from in memory', async () => {
  const { segment, parts } = makeSegment()
  const readRange = (path: string, from: number, to: number) => {
    const number = Number(/\.(\d+)\.bin$/.exec(path)![1])
    return Buffer.from(parts[number - 1]!).subarray(from, to)
  }
  const release = { readRange } as unknown as Release
  const block = await new SegmentCache().block(release, segment, 0)
  expect(block.length).toBeGreaterThan(0)
  expect(block.buffer.byteLength).toBe(block.length)
})
