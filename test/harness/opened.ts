import { bands } from '#contract/levels.ts'
import type { FeedClip } from '#contract/clip.ts'
import type { ClipTable, DataFile } from '#release/clips/reader.ts'
import type { PageRun } from '#release/lists/layout.ts'
import { cutItems, joinItems, mergeItems } from '#release/lists/reader.ts'
import type { WordRow } from '#release/words/layout.ts'
import type { Release } from '#release/release.ts'

/** What an opened release says, as objects. */

export interface ClipRow {
  ordinal: number
  clip: FeedClip
  record: DataFile
  transcript: DataFile
  /**
   * By band, A2 to C2: the place of the word in the table of words, and when it is said, in
   * seconds.
   */
  focus: ([entryAt: number, tStart: number] | null)[]
}

export function rowOf(clips: ClipTable, row: number): ClipRow {
  return {
    ordinal: clips.placeOf(row).ordinal,
    clip: clips.clip(row),
    record: clips.recordFile(row),
    transcript: clips.transcriptFile(row),
    focus: bands.map((_, band) => {
      const entryAt = clips.focusWord(row, band)
      return entryAt < 0 ? null : [entryAt, clips.focusStartMs(row, band) / 1000]
    }),
  }
}

export function clipOf(release: Release, id: string): ClipRow | undefined {
  const row = release.clips.find(id)
  return row < 0 ? undefined : rowOf(release.clips, row)
}

export function wordOf(release: Release, wordId: number): (WordRow & { clipCount: number }) | undefined {
  const row = release.words.find(wordId)
  return row < 0 ? undefined : release.words.row(row)
}

/** The words of a language in the order of rows. */
export function wordsOf(release: Release, language: string): (WordRow & { clipCount: number })[] {
  const { first, end } = release.words.rangeOf(language)
  return Array.from({ length: end - first }, (_, i) => release.words.row(first + i))
}

/** The clips of a language by ordinal; undefined where one was withdrawn. */
export function clipsOf(release: Release, language: string): (ClipRow | undefined)[] {
  const { base, domain } = release.clips.rangeOf(language)
  return Array.from({ length: domain }, (_, i) =>
    release.clips.isLive(base + i) ? rowOf(release.clips, base + i) : undefined,
  )
}

/** The JSON texts of the items `start … end` of a word's list, cut out of the published files. */
export async function itemsOf(
  release: Release,
  wordId: number,
  start: number,
  end: number,
): Promise<string[]> {
  const cut = release.words.cut(release.words.find(wordId), start, end)
  const read = async (runs: readonly PageRun[]) =>
    joinItems(
      await Promise.all(
        runs.map(async ({ path, from, to, skip, count, digest }) =>
          cutItems(await release.readRange(path, from, to, digest), skip, count),
        ),
      ),
    )
  const items = mergeItems(await read(cut.base), await read(cut.later), cut)
  return items.toString().split(',\n')
}
