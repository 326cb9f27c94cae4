import type { ClipBlock } from '#corpus/clip-blocks.ts'
import type { Postings } from '#release/postings/table.ts'
import type { PackedSpeech } from '#release/sentences/speech.ts'
import type { ClipList, Segment } from '#release/lists/clip-list.ts'
import type { Found } from './found.ts'
import type { ListBefore } from './items-before.ts'
import type { LedgerEntry } from '#tree/ledger.ts'
import type { Traits } from './tokenised-clip.ts'

/** What the hands of a build are asked for, and what they give back. All of it can be sent between threads. */

/** A clip indexed by today's catalogue. */
export interface IndexedClip {
  /** Its number in the spool of word→clip items: no other clip of the build has it. */
  slot: number
  /** The clip as lists show it, as JSON. */
  json: string
  /** What only its whole record shows. */
  wordCount: number
  indexedAtMs: number
  /** The words said in it. */
  postings: Postings
  /** What sentence search needs of it; null where that is not wanted. */
  speech: PackedSpeech | null
}

/** A clip rendered from its source; its record and transcript lie aside under the number of its slot. */
export interface RenderedClip extends IndexedClip {
  recordDigest: string
  transcriptDigest: string
  traits: Traits
}

/** What a block of a source file holds: each text with what it turned out to be, and rendered where it is not published as it is. */
export interface BlockContent {
  lineCount: number
  found: Found[]
  rendered: (RenderedClip | null)[]
}

/** A clip of the release that is to be indexed anew from its published files. */
export type Reindexed = Pick<
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
  /** Its list in the release before, to go on from; null where it had none, or where all of its clips are indexed anew. */
  before: ListBefore | null
  /** Whether its base stays, and only what is later is made. */
  isAmended: boolean
  /** The clips to be left out of it. */
  removed: string[]
}

/** A segment of a list as it was written, and its items by the level of their clips. */
export type MadeSegment = Segment & Pick<ClipList, 'clipsByLevel'>

/** The words of one bucket of the spool. */
export interface BucketOfWords {
  bucket: number
  words: ListedWord[]
}

/** A file put into its place. */
export type Move = readonly [from: string, to: string]

export interface Tasks {
  /** Reads blocks of source files and renders what is new; `wanted`, where it is given, are the digests of the clips to be rendered, new or not. */
  read(blocks: ClipBlock[], wanted?: ReadonlySet<string>): BlockContent[]
  reindex(clips: Reindexed[]): IndexedClip[]
  /** Ends the spool, for nothing more comes: what it holds in memory is put down, and what clips are indexed by is let go of. */
  flush(): void
  move(moves: Move[]): void
  /** Makes and publishes the segments of the words of a bucket, leaving out the items of the dropped slots; null where no item is left. */
  list(bucket: BucketOfWords, dropped: ReadonlySet<number>): [wordId: number, made: MadeSegment | null][]
}
