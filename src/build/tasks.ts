import type { FeedClip } from '#contract/clip.ts'
import type { ClipText } from '#corpus/clip-files.ts'
import type { SegmentEntry } from '#release/sentences/layout.ts'
import type { ClipList } from '#release/words/layout.ts'
import type { PublishedClip } from '#tree/state.ts'
import type { SegmentRange } from './segments.ts'
import type { FaultyText, SoundText } from './source-text.ts'

/**
 * The tasks of the workers of a build, and their results. All of it can be sent between threads.
 */

/** A clip of the release. */
export interface ClipToIndex {
  clip: PublishedClip
  /** The text that it is published from now; null if it is published already. */
  text: SoundText | null
  /** What the ledger keeps for re-indexing, if it is indexed again. */
  traits: object | null
}

/** Clips that are cached together. */
export interface ClipGroup {
  clips: ClipToIndex[]
  /** What the cache has of them. */
  cached: Uint8Array | null
}

/** What a clip gives under the lexicon of its language. */
export interface IndexedClip {
  clip: FeedClip
  wordCount: number
  indexedAtMs: number
  /** The words that its tokens are indexed under, by `wordId`. */
  termVector: Uint8Array
}

/** The same with what is new. */
export interface ClipIndexed extends IndexedClip {
  /** The digests of the files that were written. */
  published?: { recordDigest: string; transcriptDigest: string }
  /** What the ledger keeps of it, if that is new. */
  traits?: object
}

export interface GroupIndexed {
  /** In the order of the clips of the group. */
  indexed: ClipIndexed[]
  /** What the cache keeps of them, if that is new. */
  packed?: Uint8Array
}

/** A segment of the sentence index, and the forms that each word was heard in, by word id. */
export interface WrittenSentences {
  entry: SegmentEntry
  heard: Map<number, Set<string>>
}

export interface Tasks {
  /** Checks texts of source files. */
  read(texts: ClipText[]): (SoundText | FaultyText)[]
  /**
   * Indexes a group of clips, and writes the records and transcripts of those that are published
   * now.
   *
   * @throws {BuildStopped} a source file changed since it was read
   */
  index(group: ClipGroup): GroupIndexed
  /** Ends the spools: writes what they hold in memory. The lexicons are freed. */
  flush(): void
  /** Writes the lists of the words of a bucket. */
  list(bucket: number): [wordId: number, list: ClipList][]
  /** Writes a segment of the sentence index from the spool. */
  sentences(range: SegmentRange): WrittenSentences
}
