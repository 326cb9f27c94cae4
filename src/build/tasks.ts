import type { FeedClip } from '#contract/clip.ts'
import type { ClipBlock } from '#corpus/clip-blocks.ts'
import type { ClipList, Segment } from '#release/lists/clip-list.ts'
import type { Postings } from '#release/postings/layout.ts'
import type { PackedSpeech } from '#release/sentences/speech.ts'
import type { ListBefore } from './items-before.ts'
import type { LedgerEntry } from '#tree/ledger.ts'
import type { SourceText } from '#tree/source-text.ts'

/**
 * What the workers of a build are asked for, and what they give back. All of it can be sent between
 * threads.
 */

/**
 * A block of a source file, with what was read of its texts the night before: those that are still
 * there are not parsed.
 */
export interface BlockToRead extends ClipBlock {
  known: SourceText[]
}

/** The texts of a block, lines counted within it. */
export interface BlockRead {
  lineCount: number
  texts: SourceText[]
}

/** A source clip to be published: where its text stands, and under which name. */
export interface ClipToRender {
  file: string
  from: number
  to: number
  /** Of the source clip, as it was when the night was planned. */
  digest: string
  clipId: string
  revision: number
}

/** A clip indexed by today's catalogue. */
export interface IndexedClip {
  /** The clip as lists show it. */
  clip: FeedClip
  /** What only its published record shows. */
  wordCount: number
  indexedAtMs: number
  /** The words said in it. */
  postings: Postings
  /** What the ledger is to keep of it from now on, where that has changed. */
  traits?: object
  /** What sentence search needs of it; null where that is not wanted. */
  speech: PackedSpeech | null
}

/** A clip whose record and transcript were written. */
export interface RenderedClip extends IndexedClip {
  recordDigest: string
  transcriptDigest: string
  traits: object
}

/** A clip of the release that is to be indexed anew from its published files. */
export type ClipToReindex = Pick<
  LedgerEntry,
  'clipId' | 'revision' | 'recordDigest' | 'transcriptDigest' | 'traits'
> & {
  /** Whether the sentence index lacks it. */
  wantsSpeech: boolean
}

/** A word whose list of clips is to be made. */
export interface ListedWord {
  wordId: number
  language: string
  /**
   * Its list in the release before, to go on from; null where it had none, or where all of its
   * clips are indexed anew.
   */
  before: ListBefore | null
  /** Whether its base stays, and only what is later is made. */
  isAmended: boolean
  /** The clips to be left out of it. */
  removed: string[]
}

/** A segment of a list as it was written, and its items by the level of their clips. */
export type WrittenSegment = Segment & Pick<ClipList, 'clipsByLevel'>

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
  reindex(clips: ClipToReindex[]): IndexedClip[]
  /**
   * Ends the spool, for nothing more comes: what it holds in memory is written, and the lexicons
   * are let go of.
   */
  flush(): void
  /** Makes and publishes the segments of the words of a bucket; null where no item is left. */
  list(bucket: BucketOfWords): [wordId: number, written: WrittenSegment | null][]
}
