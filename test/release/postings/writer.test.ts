import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  packPostings,
  PostingReader,
  sharesOf,
  type Posting,
  type Postings,
} from '#release/postings/layout.ts'
import { PostingsTable } from '#release/postings/reader.ts'
import { PostingsTableWriter } from '#release/postings/writer.ts'

function open(writer: PostingsTableWriter, ordinals: Record<string, number>): PostingsTable {
  return new PostingsTable(new Uint8Array(Buffer.concat(writer.finish(ordinals))), 'postings.bin')
}

function unpack(packed: Postings): Posting[] {
  const postings: Posting[] = []
  const reader = new PostingReader().begin(packed)
  while (reader.next()) {
    const { wordId, occurrenceCount, tStartMs } = reader
    postings.push({ wordId, occurrenceCount, tStartMs })
  }
  return postings
}

const somePosting = fc.record({
  wordId: fc.nat(2 ** 32 - 1),
  occurrenceCount: fc.nat(300),
  tStartMs: fc.nat(180_000),
})
const someClip = fc.record({
  language: fc.constantFrom('en', 'ja'),
  shares: fc.array(fc.nat(100), { minLength: 6, maxLength: 6 }),
  postings: fc.array(somePosting, { maxLength: 20 }),
})

test('what is said in each clip comes back by language and ordinal, also out of a table that is carried over', () => {
  fc.assert(
    fc.property(fc.array(someClip, { maxLength: 20 }), (clips) => {
      const ordinals: Record<string, number> = { en: 0, ja: 0 }
      const placed = clips.map((clip) => ({ ...clip, ordinal: ordinals[clip.language]!++ }))
      const first = new PostingsTableWriter()
      // Every third clip is withdrawn.
      const live = placed.filter((_, i) => i % 3 !== 2)
      for (const { language, ordinal, shares, postings } of live.toReversed())
        first.add(language, ordinal, packPostings(shares, postings))
      const table = open(first, ordinals)
      const second = new PostingsTableWriter()
      for (const { language, ordinal } of live) second.carry(table, language, ordinal)
      for (const opened of [table, open(second, ordinals)])
        for (const clip of placed) {
          const packed = opened.postings(clip.language, clip.ordinal)
          if (!live.includes(clip)) expect(packed).toHaveLength(0)
          else expect([[...sharesOf(packed)], unpack(packed)]).toEqual([clip.shares, clip.postings])
        }
    }),
    { seed: 17, numRuns: 100 },
  )
})

test('a language that the table does not have is refused', () => {
  const table = open(new PostingsTableWriter(), { en: 0 })
  expect(() => table.postings('tr', 0)).toThrow('cannot read postings: the table has no clips in "tr"')
})
