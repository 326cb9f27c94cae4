import type { NetChanges } from '#release/changes.ts'
import type { ClipTable } from '#release/clips/reader.ts'
import type { IndexTables } from './index-tables.ts'
import { PostingReader, sharesOf, type Posting, type Postings } from '#release/postings/layout.ts'
import type { WordTable } from '#release/words/reader.ts'

/** The clips that changed. */
export interface ClipChanges {
  added: string[]
  replaced: string[]
  withdrawn: string[]
}

/** The part of a release that the words of two releases are compared by. */
export interface IndexedRelease {
  release: string
  words: WordTable
  clipIds: Iterable<string>
  /** The postings of one of its clips. */
  said(clipId: string): Postings
}

/** A release, from its tables. */
export function indexedRelease(
  release: string,
  { clips, words, postings }: Omit<IndexTables, 'manifest'>,
): IndexedRelease {
  const said = (clipId: string) => {
    const { language, ordinal } = clips.placeOf(rowOf(clips, clipId))
    return postings.postings(language, ordinal)
  }
  return { release, words, clipIds: clips.liveRows().map((row) => clips.clipId(row)), said }
}

/**
 * The row of a clip; −1 if there is none. `find` alone does not do: a video id may look like a clip
 * id.
 */
export function rowOf(clips: ClipTable, clipId: string): number {
  const row = clips.find(clipId)
  return row >= 0 && clips.clipId(row) === clipId ? row : -1
}

/**
 * A word counts as changed if its catalogue entry differs, or if its list does
 * (`wordsSaidOtherwise`).
 */
export function changesBetween(
  before: IndexedRelease,
  after: Omit<IndexedRelease, 'clipIds'>,
  clips: ClipChanges,
): NetChanges {
  const said = wordsSaidOtherwise(before, after, clips)
  const isIn = ({ words }: { words: WordTable }, wordId: number) => words.find(wordId) >= 0
  const isChanged = (wordId: number) =>
    said.has(wordId) || !after.words.isSame(after.words.find(wordId), before.words, before.words.find(wordId))
  const wordIds = [...wordIdsOf(after.words)]
  return {
    from: before.release,
    to: after.release,
    clips: {
      added: clips.added.toSorted(),
      changed: clips.replaced.toSorted(),
      withdrawn: clips.withdrawn.toSorted(),
    },
    words: {
      added: sorted(wordIds.filter((wordId) => !isIn(before, wordId))),
      changed: sorted(wordIds.filter((wordId) => isIn(before, wordId) && isChanged(wordId))),
      withdrawn: sorted([...wordIdsOf(before.words)].filter((wordId) => !isIn(after, wordId))),
    },
  }
}

/** The changes if there is no previous release, or none that can be opened: everything is added. */
export function allAdded(
  { release, words }: { release: string; words: WordTable },
  clipIds: string[],
): NetChanges {
  return {
    from: null,
    to: release,
    clips: { added: clipIds.toSorted(), changed: [], withdrawn: [] },
    words: { added: sorted(wordIdsOf(words)), changed: [], withdrawn: [] },
  }
}

function* wordIdsOf(words: WordTable): Generator<number> {
  for (let row = 0; row < words.count; row++) yield words.wordId(row)
}

function sorted(ids: Iterable<number>): number[] {
  return [...ids].sort((a, b) => a - b)
}

/**
 * The words whose lists differ: a clip was added, withdrawn, published again, or has other counts.
 */
function wordsSaidOtherwise(
  before: IndexedRelease,
  after: Pick<IndexedRelease, 'said'>,
  { added, replaced, withdrawn }: ClipChanges,
): Set<number> {
  const words = new Set<number>()
  const addAll = (said: Postings) => {
    for (const { wordId } of unpack(said)) words.add(wordId)
  }
  for (const clipId of [...added, ...replaced]) addAll(after.said(clipId))
  for (const clipId of [...withdrawn, ...replaced]) addAll(before.said(clipId))
  const gone = new Set([...withdrawn, ...replaced])
  for (const clipId of before.clipIds) {
    if (gone.has(clipId)) continue
    const [was, is] = [before.said(clipId), after.said(clipId)]
    if (Buffer.compare(was, is) !== 0) addDifferent(words, was, is, before.words)
  }
  return words
}

/**
 * Adds the words whose item of a clip differs. The previous levels serve for both: a word with
 * another level has another entry, and is found by that.
 */
function addDifferent(words: Set<number>, was: Postings, is: Postings, table: WordTable): void {
  const shares = [sharesOf(was), sharesOf(is)] as const
  const known = new Map([...unpack(was)].map((posting) => [posting.wordId, posting]))
  for (const { wordId, occurrenceCount, tStartMs } of unpack(is)) {
    const old = known.get(wordId)
    known.delete(wordId)
    const level = old ? table.levels[table.find(wordId)]! : 0
    const isSame =
      old?.occurrenceCount === occurrenceCount &&
      old.tStartMs === tStartMs &&
      shares[0][level] === shares[1][level]
    if (!isSame) words.add(wordId)
  }
  for (const wordId of known.keys()) words.add(wordId)
}

function* unpack(said: Postings): Generator<Posting> {
  const posting = new PostingReader().begin(said)
  while (posting.next()) {
    const { wordId, occurrenceCount, tStartMs } = posting
    yield { wordId, occurrenceCount, tStartMs }
  }
}
