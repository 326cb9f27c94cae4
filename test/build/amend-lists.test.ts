import fc from 'fast-check'
import { expect, test } from 'vitest'
import { levelRank, levels, type Level } from '#contract/levels.ts'
import { amendLists, isDue, type Amended, type IndexedEntry } from '#build/amend-lists.ts'
import type { IndexTables } from '#tree/index-tables.ts'
import { packUuid } from '#kit/uuid.ts'
import type { ClipList } from '#release/lists/clip-list.ts'
import { packPostings } from '#release/postings/layout.ts'
import { PostingsTable } from '#release/postings/reader.ts'
import { PostingsTableWriter } from '#release/postings/writer.ts'
import { byRow } from '#release/words/layout.ts'
import { WordTable } from '#release/words/reader.ts'
import { writeWordTable } from '#release/words/writer.ts'
import { clipTableOf, someClipEntry } from '../harness/clip-table.ts'

/** The words of the catalogue, by id. */
const wordLevels = new Map<number, Level>([
  [3, 'A1'],
  [7, 'B2'],
])

interface SomeClip {
  clipId: string
  level: Level
  /** By the rank of a level, in hundredths. */
  shares: number[]
  /** By word, how often it is said. */
  said: Map<number, number>
}

const someClip: fc.Arbitrary<SomeClip> = fc.record({
  clipId: fc.uuid(),
  level: fc.constantFrom(...levels),
  shares: fc.array(fc.constantFrom(0, 50, 87, 100), { minLength: 6, maxLength: 6 }),
  said: fc
    .subarray([...wordLevels.keys()])
    .chain((wordIds) =>
      fc
        .array(fc.constantFrom(1, 2, 300), { minLength: wordIds.length, maxLength: wordIds.length })
        .map((counts) => new Map(wordIds.map((wordId, i) => [wordId, counts[i]!]))),
    ),
})

const postingsOf = ({ shares, said }: SomeClip) =>
  packPostings(
    shares,
    Array.from(said, ([wordId, occurrenceCount]) => ({ wordId, occurrenceCount, tStartMs: 0 })),
  )
const entryOf = (clip: SomeClip): IndexedEntry => ({
  clipId: clip.clipId,
  language: 'en',
  level: clip.level,
  said: postingsOf(clip),
})

/** The clips of a word, in the order of the contract. */
function listOf(wordId: number, clips: readonly SomeClip[]): SomeClip[] {
  const share = ({ shares }: SomeClip) => shares[levelRank(wordLevels.get(wordId)!)]!
  return clips
    .filter(({ said }) => said.has(wordId))
    .sort(
      (a, b) =>
        levelRank(a.level) - levelRank(b.level) ||
        share(b) - share(a) ||
        b.said.get(wordId)! - a.said.get(wordId)! ||
        (a.clipId < b.clipId ? -1 : 1),
    )
}

const countByLevel = (clips: readonly SomeClip[]) =>
  levels.map((level) => clips.filter((clip) => clip.level === level).length)

/** A release of these clips whose words have these lists. */
function release(clips: readonly SomeClip[], lists: ReadonlyMap<number, ClipList>): IndexTables {
  const postings = new PostingsTableWriter()
  for (const [ordinal, clip] of clips.entries()) postings.add('en', ordinal, postingsOf(clip))
  const rows = Array.from(wordLevels, ([wordId, level]) => {
    const list = lists.get(wordId) ?? null
    const clipCount = list ? list.clipsByLevel.reduce((sum, count) => sum + count, 0) : 0
    return { wordId, level, language: 'en', word: `w${wordId}`, meanings: {}, forms: [], list, clipCount }
  }).sort(byRow)
  const opened = (pieces: Uint8Array[]) => new Uint8Array(Buffer.concat(pieces))
  return {
    manifest: {} as IndexTables['manifest'],
    clips: clipTableOf(clips.map(({ clipId, level }, ordinal) => someClipEntry(ordinal, { clipId, level }))),
    words: new WordTable(opened(writeWordTable(rows.length, (row) => rows[row]!)), 'words.bin'),
    postings: new PostingsTable(opened(postings.finish({ en: clips.length })), 'postings.bin'),
  }
}

/**
 * What an amended list must be, from the clips of its base, those of them that it held ever since,
 * and those that it holds now.
 */
function expectedList(
  wordId: number,
  base: readonly SomeClip[],
  stayed: ReadonlySet<SomeClip>,
  now: readonly SomeClip[],
): Amended {
  const [before, list] = [listOf(wordId, base), listOf(wordId, now)]
  const gone = before.flatMap((clip, number) => (stayed.has(clip) ? [] : [number]))
  return {
    clipsByLevel: countByLevel(list),
    places: Uint32Array.from(list.flatMap((clip, place) => (stayed.has(clip) ? [] : [place]))),
    gone: Uint32Array.from(gone),
    goneIds: new Uint8Array(Buffer.concat(gone.map((number) => packUuid(before[number]!.clipId)))),
  }
}

const segment = { digest: '00112233aabbccdd', checkpoints: Uint32Array.of(40, 90) }
const someNights = fc.record({
  clips: fc.uniqueArray(someClip, {
    selector: ({ clipId }) => clipId,
    minLength: 6,
    maxLength: 40,
    size: 'max',
  }),
  nights: fc.array(fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }), { minLength: 3, maxLength: 5 }),
})

test('lists amended release after release have each item where a sort puts it', () => {
  fc.assert(
    fc.property(someNights, ({ clips, nights }) => {
      const [base, ...later] = nights.map((isIn) => clips.filter((_, i) => isIn[i]))
      const wordIds = new Set([...wordLevels.keys()].filter((wordId) => listOf(wordId, base!).length > 0))
      let lists = new Map<number, ClipList>(
        Array.from(wordIds, (wordId) => {
          const clipsByLevel = countByLevel(listOf(wordId, base!))
          return [wordId, { clipsByLevel, base: segment, since: null }]
        }),
      )
      let previous = base!
      let stayed = new Set(base)
      for (const now of later) {
        // A list that was left without clips has none to amend.
        const amendable = new Set([...wordIds].filter((wordId) => listOf(wordId, previous).length > 0))
        const added = now.filter((clip) => !previous.includes(clip)).map(entryOf)
        const removed = previous.filter((clip) => !now.includes(clip)).map(entryOf)
        stayed = stayed.intersection(new Set(now))
        const amended = amendLists(amendable, release(previous, lists), added, removed)
        expect([...amended.keys()]).toEqual([...amendable])
        for (const [wordId, list] of amended) expect(list).toEqual(expectedList(wordId, base!, stayed, now))
        lists = new Map(
          Array.from(amended, ([wordId, { clipsByLevel, places, gone, goneIds }]) => {
            const since = { later: places.length > 0 ? segment : null, places, gone, goneIds }
            return [wordId, { clipsByLevel, base: segment, since }] as const
          }).filter(([, { clipsByLevel }]) => clipsByLevel.some((count) => count > 0)),
        )
        for (const wordId of wordIds) if (!lists.has(wordId)) wordIds.delete(wordId)
        previous = now
      }
    }),
    { numRuns: 300, seed: 17 },
  )
})

test('a list is due when its changes come to a sixteenth to three sixteenths of its base', () => {
  const listOfBase = (count: number): ClipList => ({
    clipsByLevel: [count, 0, 0, 0, 0, 0],
    base: segment,
    since: null,
  })
  const wordIds = Array.from({ length: 1000 }, (_, wordId) => wordId)
  const due = (changes: number) => wordIds.filter((wordId) => isDue(wordId, listOfBase(1600), changes)).length
  expect([due(100), due(301)]).toEqual([0, 1000])
  expect(Math.abs(due(200) - 500)).toBeLessThan(60)
  expect(isDue(1, listOfBase(31), 0)).toBe(true)
})
