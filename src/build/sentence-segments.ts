import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { joinBytes } from '#kit/join-bytes.ts'
import { sentencesPath } from '#release/paths.ts'
import type { SegmentEntry } from '#release/sentences/layout.ts'
import { Segment } from '#release/sentences/reader.ts'
import type { PackedSpeech } from '#release/sentences/speech.ts'
import { mergeSegments, SegmentWriter, type MadeSegment } from '#release/sentences/writer.ts'
import { corruptList } from './corrupt-list.ts'
import { writeWhole } from './write-file.ts'

/** How many tokens are gathered in memory before they become a segment: 50 MB. */
const tokensPerSegment = 4_000_000

/** A segment of which more clips than this share are gone is written anew. */
const mostGone = 1 / 4

/**
 * The sentence index from release to release: segments that stay as they are, and one that holds what is new. The new one takes in the segments that are at most twice
 * as large as all that it holds so far, so that segments grow in size by powers of two: there are few, and a clip is written again a few times, however many nights there are.
 */
export class SentenceSegments {
  readonly #folders: { outFolder: string; workFolder: string }
  readonly #languages = new Map<string, SegmentsOfLanguage>()

  /** `before` are the segments of the release that the build goes on from. One that is gone, or is no segment, counts as none: its clips are indexed anew. */
  constructor(folders: { outFolder: string; workFolder: string }, before: readonly SegmentEntry[]) {
    this.#folders = folders
    for (const entry of before) {
      const segment = openHead(folders.outFolder, entry)
      if (segment) this.#of(entry.language).goOnFrom(segment)
    }
  }

  /** Whether a record of a clip is in a segment, so that it need not be added. */
  has(language: string, ordinal: number, revision: number): boolean {
    return this.#of(language).has(ordinal, revision)
  }

  /** Notes that a record which is in a segment is in the release. */
  keep(language: string, ordinal: number, revision: number): void {
    this.#of(language).live.set(ordinal, revision)
  }

  add(language: string, ordinal: number, revision: number, speech: PackedSpeech): void {
    this.#of(language).add(ordinal, revision, speech)
  }

  /** Writes what is new; gives the segments of the release. @throws {CorruptList} a segment before is not what its release says */
  finish(): SegmentEntry[] {
    return [...this.#languages]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([language, segments]) => segments.finish(language, this.#folders))
  }

  #of(language: string): SegmentsOfLanguage {
    let segments = this.#languages.get(language)
    if (!segments) this.#languages.set(language, (segments = new SegmentsOfLanguage()))
    return segments
  }
}

/** Which record of each clip, from 1; 0 where there is none. A million clips are 4 MB. */
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

/** A segment as it is merged: from the release before, or made tonight. */
interface Source {
  segment: Segment
  /** Null where they are read when they are wanted. */
  bytes: Uint8Array<ArrayBuffer> | null
  liveClips: number
  /** About as many tokens as are left of it. */
  weight: number
}

class SegmentsOfLanguage {
  /** By ordinal, the record that is in the release. */
  readonly live = new RevisionByOrdinal()
  readonly #known = new RevisionByOrdinal()
  readonly #before: Segment[] = []
  readonly #made: MadeSegment[] = []
  #writer = new SegmentWriter()

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
    if (this.#writer.tokens >= tokensPerSegment) this.#endWriter()
  }

  #endWriter(): void {
    if (this.#writer.clips === 0) return
    this.#made.push(this.#writer.finish())
    this.#writer = new SegmentWriter()
  }

  finish(language: string, folders: { outFolder: string; workFolder: string }): SegmentEntry[] {
    this.#endWriter()
    const made = this.#made.map((segment) => this.#sourceOf(opened(segment, language)))
    const before = this.#before.map((segment) => this.#sourceOf({ segment, bytes: null }))
    const kept = before.filter(({ liveClips }) => liveClips > 0)
    const merged = chooseMerged(made, kept)
    const rest = kept.filter((source) => !merged.includes(source)).map(({ segment }) => segment.entry)
    if (merged.length === 0) return rest
    return [...rest, this.#write(merged, language, folders)]
  }

  #write(
    merged: readonly Source[],
    language: string,
    { outFolder, workFolder }: { outFolder: string; workFolder: string },
  ): SegmentEntry {
    // What was made tonight holds nothing that is gone.
    const only = merged.length === 1 ? merged[0]!.bytes : null
    const sources = merged.map(({ segment, bytes }) => ({
      segment,
      bytes: bytes ?? readWhole(outFolder, segment.entry),
      isLive: (clip: number) => this.#isLive(segment, clip),
    }))
    const { bytes, segment } = only
      ? { bytes: only, segment: merged[0]!.segment }
      : opened(mergeSegments(sources), language)
    const { headBytes, sizeBytes, clips, tokens } = segment.entry
    const digest = createHash('sha256').update(bytes).digest('hex')
    const path = sentencesPath(language, digest.slice(0, 16))
    writeWhole(workFolder, join(outFolder, path), bytes)
    return { language, path, digest, headBytes, sizeBytes, clips, tokens }
  }

  #sourceOf({ segment, bytes }: Pick<Source, 'segment' | 'bytes'>): Source {
    let liveClips = 0
    for (let clip = 0; clip < segment.clipCount; clip++) if (this.#isLive(segment, clip)) liveClips++
    const { clips, tokens } = segment.entry
    return { segment, bytes, liveClips, weight: clips === 0 ? 0 : (tokens * liveClips) / clips }
  }

  #isLive(segment: Segment, clip: number): boolean {
    return this.live.get(segment.ordinal(clip)) === segment.revision(clip)
  }
}

/** What becomes one segment: all that was made tonight, what has lost many clips, and what is at most twice as large as all of that, the smallest first. */
function chooseMerged(made: readonly Source[], before: readonly Source[]): Source[] {
  const isWorn = ({ segment, liveClips }: Source) => liveClips < segment.clipCount * (1 - mostGone)
  const merged = [...before.filter(isWorn), ...made]
  let weight = merged.reduce((sum, source) => sum + source.weight, 0)
  for (const source of before.toSorted((a, b) => a.weight - b.weight)) {
    if (merged.includes(source)) continue
    if (weight === 0 || source.weight > 2 * weight) break
    merged.unshift(source)
    weight += source.weight
  }
  return merged
}

function opened(
  { pieces, headBytes, clips, tokens }: MadeSegment,
  language: string,
): { segment: Segment; bytes: Uint8Array<ArrayBuffer> } {
  const bytes = joinBytes(pieces)
  const entry = { language, path: '', digest: '', headBytes, sizeBytes: bytes.length, clips, tokens }
  return { segment: new Segment(bytes.subarray(0, headBytes), entry), bytes }
}

/** The head of a segment; null where the file is gone, or is none. */
function openHead(outFolder: string, entry: SegmentEntry): Segment | null {
  try {
    const head = new Uint8Array(entry.headBytes)
    const file = openSync(join(outFolder, entry.path), 'r')
    try {
      if (readSync(file, head, 0, head.length, 0) < head.length) return null
    } finally {
      closeSync(file)
    }
    return new Segment(head, entry)
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

function readWhole(outFolder: string, { path, digest }: SegmentEntry): Uint8Array {
  const bytes = readFileSync(join(outFolder, path))
  const found = createHash('sha256').update(bytes).digest('hex')
  if (found !== digest) throw corruptList(path)
  return bytes
}
