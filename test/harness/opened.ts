import { bands } from '#contract/levels.ts'
import type { FeedClip } from '#contract/clip.ts'
import type { ClipTable } from '#release/clips/reader.ts'
import type { DataFile } from '#release/paths.ts'
import type { WordEntry } from '#release/words/layout.ts'
import { itemsOf as itemsOfPage } from '#release/words/pages.ts'
import type { PageCut } from '#release/words/reader.ts'
import type { Release } from '#release/release.ts'

/** The contents of an open release, as objects. */

export interface ClipRow {
  ordinal: number
  clip: FeedClip
  record: DataFile
  transcript: DataFile
  /**
   * The focus word of each band, A2 to C2: its number, and the time of its first occurrence in
   * seconds.
   */
  focus: ([number: number, tStart: number] | null)[]
}

export function rowOf(clips: ClipTable, row: number): ClipRow {
  const clip = JSON.parse(Buffer.from(clips.json(row), 'latin1').toString()) as FeedClip
  return {
    ordinal: row - clips.rangeOf(clip.language).base,
    clip,
    record: clips.recordFile(row),
    transcript: clips.transcriptFile(row),
    focus: bands.map((_, band) => {
      const word = clips.focusWord(row, band)
      return word && [word.number, word.tStartMs / 1000]
    }),
  }
}

export function clipOf(release: Release, id: string): ClipRow | undefined {
  const row = release.clips.find(id)
  return row < 0 ? undefined : rowOf(release.clips, row)
}

type ListedWord = WordEntry & { clipCount: number }

export function wordOf(release: Release, wordId: number): ListedWord | undefined {
  const row = release.words.find(wordId)
  return row < 0 ? undefined : listedWord(release, row)
}

/** Returns the words of a language in the order of rows. */
export function wordsOf(release: Release, language: string): ListedWord[] {
  const { first, end } = release.words.rangeOf(language)
  return Array.from({ length: end - first }, (_, i) => listedWord(release, first + i))
}

function listedWord({ words }: Release, row: number): ListedWord {
  return { ...words.entry(row), clipCount: words.clipCount(row) }
}

/** Returns the clips of a language by ordinal; undefined if one was withdrawn. */
export function clipsOf(release: Release, language: string): (ClipRow | undefined)[] {
  const { base, domain } = release.clips.rangeOf(language)
  return Array.from({ length: domain }, (_, i) =>
    release.clips.isLive(base + i) ? rowOf(release.clips, base + i) : undefined,
  )
}

/** Returns the JSON texts of the items `start … end` of a word's list, from the published files. */
export async function itemsOf(
  release: Release,
  wordId: number,
  start: number,
  end: number,
): Promise<string[]> {
  const cuts = release.words.cut(release.words.find(wordId), start, end)
  const read = async (cut: PageCut) => itemsOfPage(String(await release.read(cut)), cut.from, cut.to)
  return (await Promise.all(cuts.map(read))).flat()
}
