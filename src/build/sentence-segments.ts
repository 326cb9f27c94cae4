import { join } from 'node:path'
import { sha256 } from '#kit/digest.ts'
import { joinBytes } from '#kit/join-bytes.ts'
import { isPage } from '#release/page-digest.ts'
import { sentencesPath } from '#release/paths.ts'
import { segmentName, segmentPaths, type SegmentEntry } from '#release/sentences/layout.ts'
import { Segment } from '#release/sentences/reader.ts'
import type { PackedSpeech } from '#release/sentences/speech.ts'
import { mergeSegments, type Merged } from '#release/sentences/merge-segments.ts'
import { partsOf, type MadeSegment } from '#release/sentences/segment-pieces.ts'
import { SegmentWriter } from '#release/sentences/writer.ts'
import { moveFile, writeWhole } from './write-file.ts'
import { chooseMerged, groupsOf, type MergeSource } from './merge-policy.ts'
import { CorruptList, corruptList, readPublished } from './corrupt-list.ts'

/** How many tokens are collected in memory before they become a segment: 50 MB. */
const tokensInMemory = 4_000_000

/**
 * About the most tokens of a segment: 80 MB. A merge takes twice as much memory, and the places in
 * a segment are 32-bit numbers.
 */
const defaultMaxTokens = 32_000_000

/**
 * The sentence index from release to release: segments that stay as they are, and one that holds
 * what is new. The new one merges the segments that are at most twice as large as all that it holds
 * so far. Segments then grow by powers of two up to `maxTokens`: there are few, and a clip is
 * written again a few times, however many builds there are. What is too large for one segment
 * becomes several.
 */
export class SentenceSegments {
  readonly #folders: Folders
  readonly #maxTokens: number
  readonly #languages = new Map<string, SegmentsOfLanguage>()

  /**
   * `before` are the segments of the release that the build builds on. A missing or damaged one is
   * ignored: its clips are indexed again.
   */
  constructor(folders: Folders, before: readonly SegmentEntry[], maxTokens = defaultMaxTokens) {
    this.#folders = folders
    this.#maxTokens = maxTokens
    for (const entry of before) {
      const segment = openHead(folders.outFolder, entry)
      if (segment) this.#of(entry.language).goOnFrom(segment)
    }
  }

  /** Whether a record of a clip is in a segment, so that it need not be added. */
  has(language: string, ordinal: number, revision: number): boolean {
    return this.#of(language).has(ordinal, revision)
  }

  /** Notes that the release has a record that is in a segment. */
  keep(language: string, ordinal: number, revision: number): void {
    this.#of(language).live.set(ordinal, revision)
  }

  add(language: string, ordinal: number, revision: number, speech: PackedSpeech): void {
    this.#of(language).add(ordinal, revision, speech)
  }

  /**
   * Writes what is new. Returns the segments of the release.
   *
   * @throws {CorruptList} a previous segment is damaged
   */
  finish(): SegmentEntry[] {
    return [...this.#languages]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([, segments]) => segments.finish())
  }

  #of(language: string): SegmentsOfLanguage {
    return this.#languages.getOrInsertComputed(
      language,
      () => new SegmentsOfLanguage(language, this.#folders, this.#maxTokens),
    )
  }
}

interface Folders {
  outFolder: string
  /** New segments are here until it is known which are merged. */
  workFolder: string
}

/** By ordinal, which record of the clip, from 1; 0 if there is none. A million clips are 4 MB. */
class RevisionByOrdinal {
  #revisions = new Uint32Array(1024)

  get(ordinal: number): number {
    return this.#revisions[ordinal] ?? 0
  }

  set(ordinal: number, revision: number): void {
    if (ordinal >= this.#revisions.length) {
      const grown = new Uint32Array(Math.max(ordinal + 1, this.#revisions.length * 2))
      grown.set(this.#revisions)
      this.#revisions = grown
    }
    this.#revisions[ordinal] = revision
  }
}

class SegmentsOfLanguage {
  /** By ordinal, the record that is in the release. */
  readonly live = new RevisionByOrdinal()
  readonly #known = new RevisionByOrdinal()
  readonly #before: Segment[] = []
  readonly #made: Segment[] = []
  readonly #language: string
  readonly #folders: Folders
  readonly #maxTokens: number
  #writer = new SegmentWriter()

  constructor(language: string, folders: Folders, maxTokens: number) {
    this.#language = language
    this.#folders = folders
    this.#maxTokens = maxTokens
  }

  goOnFrom(segment: Segment): void {
    this.#before.push(segment)
    for (let clip = 0; clip < segment.clipCount; clip++) {
      const ordinal = segment.ordinal(clip)
      this.#known.set(ordinal, Math.max(segment.revision(clip), this.#known.get(ordinal)))
    }
  }

  has(ordinal: number, revision: number): boolean {
    return this.#known.get(ordinal) === revision
  }

  add(ordinal: number, revision: number, speech: PackedSpeech): void {
    this.live.set(ordinal, revision)
    this.#writer.add(ordinal, revision, speech)
    if (this.#writer.tokens >= Math.min(tokensInMemory, this.#maxTokens)) this.#endWriter()
  }

  #endWriter(): void {
    if (this.#writer.clips === 0) return
    const made = this.#writer.finish()
    this.#writer = new SegmentWriter()
    this.#made.push(new Segment(made.head, this.#write(made, this.#folders.workFolder)))
  }

  finish(): SegmentEntry[] {
    this.#endWriter()
    const { outFolder, workFolder } = this.#folders
    const made = this.#made.map((segment) => this.#sourceOf(segment, workFolder))
    const before = this.#before.map((segment) => this.#sourceOf(segment, outFolder))
    const kept = before.filter(({ liveClips }) => liveClips > 0)
    const merged = chooseMerged(made, kept, this.#maxTokens)
    const rest = kept.filter((source) => !merged.includes(source)).map(({ segment }) => segment.entry)
    const groups = groupsOf(merged, this.#maxTokens)
    return [...rest, ...groups.map((group) => this.#merge(group))]
  }

  #merge(merged: readonly MergeSource[]): SegmentEntry {
    const { outFolder, workFolder } = this.#folders
    const [{ segment, folder }] = merged as [MergeSource]
    // A new segment has no deleted clips.
    if (merged.length > 1 || folder === outFolder)
      return this.#write(mergeSegments(merged.map((source) => this.#toMerge(source))), outFolder)
    for (const path of segmentPaths(segment.entry)) moveFile(join(workFolder, path), join(outFolder, path))
    return segment.entry
  }

  #write({ head, body, clips, tokens }: MadeSegment, folder: string): SegmentEntry {
    const parts = partsOf(body)
    const digest = sha256(head).toString('hex')
    const entry = { language: this.#language, digest, parts: parts.length, clips, tokens }
    for (const [i, path] of segmentPaths(entry).entries())
      writeWhole(this.#folders.workFolder, join(folder, path), i === 0 ? head : parts[i - 1]!)
    return entry
  }

  #toMerge({ segment, folder }: MergeSource): Merged {
    return { segment, body: readBody(folder, segment), isLive: (clip) => this.#isLive(segment, clip) }
  }

  #sourceOf(segment: Segment, folder: string): MergeSource {
    let liveClips = 0
    for (let clip = 0; clip < segment.clipCount; clip++) if (this.#isLive(segment, clip)) liveClips++
    const { clips, tokens } = segment.entry
    return { segment, folder, liveClips, weight: clips === 0 ? 0 : (tokens * liveClips) / clips }
  }

  #isLive(segment: Segment, clip: number): boolean {
    return this.live.get(segment.ordinal(clip)) === segment.revision(clip)
  }
}

/** The head of a segment; null if the file is missing or damaged. */
function openHead(outFolder: string, entry: SegmentEntry): Segment | null {
  try {
    const head = readPublished(outFolder, sentencesPath(entry.language, segmentName(entry), 0))
    const isRight = sha256(head).toString('hex') === entry.digest
    return isRight ? new Segment(new Uint8Array(head), entry) : null
  } catch (error) {
    if (error instanceof CorruptList) return null
    throw error
  }
}

/** @throws {CorruptList} a part is missing, or does not have the digest in the head */
function readBody(folder: string, segment: Segment): Uint8Array {
  const [, ...paths] = segmentPaths(segment.entry)
  return joinBytes(
    paths.map((path, part) => {
      const bytes = readPublished(folder, path)
      if (!isPage(bytes, segment.partDigest(part))) throw corruptList(path)
      return bytes
    }),
  )
}
