import type { ClipBlock } from '#corpus/clip-blocks.ts'
import type { ClipFields } from '#release/clips/writer.ts'
import type { ClipList, ListSegment } from '#release/lists/clip-list.ts'
import type { Postings } from '#release/postings/layout.ts'
import type { SegmentEntry } from '#release/sentences/layout.ts'
import type { PreviousList } from './previous-items.ts'
import type { SegmentRange } from './speech-spool.ts'
import type { LedgerEntry } from '#tree/ledger.ts'
import type { SourceText } from '#tree/source-text.ts'

/**
 * The tasks of the workers of a build, and their results. All of it can be sent between threads.
 */

/**
 * A block of a source file, with the texts that were read from it before, which are not parsed
 * again.
 */
export interface BlockToRead extends ClipBlock {
  known: SourceText[]
  /** The whole file, if it was read ahead. */
  bytes?: Uint8Array
}

/** The texts of a block. Lines are counted within it. */
export interface BlockRead {
  lineCount: number
  texts: SourceText[]
}

/** A source clip to publish: where its text stands, and what it is published as. */
export interface ClipToRender extends Pick<
  LedgerEntry,
  'clipId' | 'videoId' | 'language' | 'ordinal' | 'revision' | 'firstRelease'
> {
  file: string
  from: number
  to: number
  /** The digest of the text, as it was read for the plan. */
  raw: string
  /** Of the source clip. */
  digest: string
}

/** A clip indexed by the current catalogue. */
export interface IndexedClip {
  /** What the table of clips stores of it. */
  fields: ClipFields
  /** The words said in it. */
  postings: Postings
  /** What the ledger stores about it, if that changes. */
  traits?: object
}

/** A clip whose record and transcript were written. */
export interface RenderedClip extends IndexedClip {
  recordDigest: string
  transcriptDigest: string
  traits: object
}

/** A clip of the release to index again from its published files. */
export interface ClipToReindex extends LedgerEntry {
  /** Whether only the sentence index needs it. */
  isCarried: boolean
}

/** A segment of the sentence index, and the forms that each word was heard in, by word id. */
export interface WrittenSentences {
  entry: SegmentEntry
  heard: Map<number, Set<string>>
}

/** A word whose list of clips is written. */
export interface ListedWord {
  wordId: number
  language: string
  /**
   * Its list in the previous release, to build on; null if it had none, or if all of its clips are
   * indexed again.
   */
  before: PreviousList | null
  /** Whether its base stays, and only its later items are written. */
  isAmended: boolean
  /** The clips to leave out. */
  removed: string[]
}

/** A written segment of a list, and how many of its items there are by level. */
export type WrittenSegment = ListSegment & Pick<ClipList, 'clipsByLevel'>

/** The words of one bucket of the spool. */
export interface BucketOfWords {
  bucket: number
  words: ListedWord[]
}

export interface Tasks {
  /** Reads blocks of source files. */
  read(blocks: BlockToRead[]): BlockRead[]
  /**
   * Writes the records and transcripts of source clips.
   *
   * @throws {BuildStopped} a source file changed since it was read
   */
  render(clips: ClipToRender[]): RenderedClip[]
  /** null for a clip that is carried. */
  reindex(clips: ClipToReindex[]): (IndexedClip | null)[]
  /** Ends the spool: writes what it holds in memory. The lexicons are freed. */
  flush(): void
  /** Writes the segments of the words of a bucket; null for a word without items. */
  list(bucket: BucketOfWords): [wordId: number, written: WrittenSegment | null][]
  /** Writes a segment of the sentence index from the spool. */
  sentences(range: SegmentRange): WrittenSentences
}
