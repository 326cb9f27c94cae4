import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { MessagePort } from 'node:worker_threads'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Clip } from '#contract/clip.ts'
import { levelRank } from '#contract/levels.ts'
import type { Transcript } from '#contract/transcript.ts'
import type { ClipText } from '#corpus/clip-files.ts'
import type { Catalogue } from '#corpus/read-catalogue.ts'
import { readTextAt } from '#corpus/read-texts.ts'
import { parseClip, type SourceClip } from '#corpus/source-clip.ts'
import { ClipAnalyser, type KeptWords } from '#indexing/clip-analyser.ts'
import { indexClip, sharesByLevel, type ClipIndex } from '#indexing/index-clip.ts'
import { Lexicon } from '#indexing/lexicon.ts'
import { tokeniseCues, type TokenisedCue } from '#indexing/tokenise.ts'
import { shortDigest } from '#kit/digest.ts'
import { ownBytes } from '#kit/own-bytes.ts'
import { clipPath, transcriptPath } from '#release/paths.ts'
import { segmentPaths } from '#release/sentences/layout.ts'
import type { Speech } from '#release/sentences/speech.ts'
import type { ClipList } from '#release/words/layout.ts'
import { renderClip, toFeedClip, type UrlTemplates } from '#rendering/clip.ts'
import { renderTranscript } from '#rendering/transcript.ts'
import { ItemRenderer, sortKeyOf } from '#rendering/word-clips.ts'
import { BuildStopped } from './build-stopped.ts'
import { clipSpeech } from './clip-speech.ts'
import { bucketOf, itemLine, itemsByWord, listWord } from './list-word.ts'
import { makeSegment, speechLine, type SegmentRange } from './segments.ts'
import { checkText, sourceDigest, type FaultyText, type SoundText } from './source-text.ts'
import { Spool, takeLines } from './spool.ts'
import type {
  ClipGroup,
  ClipIndexed,
  ClipToIndex,
  GroupIndexed,
  IndexedClip,
  Tasks,
  WrittenSentences,
} from './tasks.ts'
import { termVectorOf } from './term-vectors.ts'
import { tokenisedFromPublished, traitsOf, type Traits } from './tokenised-clip.ts'
import { writeMissing, writeWithFolder } from './write-file.ts'

/** The most workers of a build: each has a catalogue of its own in memory. */
export const maxWorkers = 16

/** What every worker of a build receives. It can be sent between threads. */
export interface WorkerContext {
  corpusFolder: string
  outFolder: string
  /** For files in progress. */
  workFolder: string
  catalogue: Catalogue
  urls: UrlTemplates
  /** Of the clips that this build publishes. */
  indexedAt: string
  /** Whether analysers find words, too. */
  hasAnalysers: boolean
  segmentOrdinals: number | undefined
}

/** What goes to the spool of a clip. */
interface Spooled {
  /** Its items for the lists of its words, as lines. */
  items: string[]
  /** What sentence search needs of it. */
  speech: Speech
}

/** What the cache keeps of a clip. */
type Packed = IndexedClip & Spooled

/** What a clip gives when it is indexed. */
interface Made extends Omit<ClipIndexed, keyof IndexedClip> {
  made: IndexedClip
  spooled: Spooled
}

/**
 * Does the work of a build that is done clip by clip or word by word. A build has one, or one per
 * thread.
 */
export class BuildWorker implements Tasks {
  readonly #context: WorkerContext
  readonly #spool: Spool
  readonly #lexicons = new Map<string, Lexicon>()
  readonly #analysers = new Map<string, ClipAnalyser>()
  readonly #analyserPort: MessagePort | undefined
  /** By wordId. */
  readonly #languages = new Map<number, string>()

  /**
   * `number` identifies the worker, 0 … `maxWorkers` − 1. `analyserPort` leads to the thread that
   * analyses Japanese.
   */
  constructor(context: WorkerContext, number: number, analyserPort?: MessagePort) {
    this.#analyserPort = analyserPort
    this.#context = context
    this.#spool = new Spool(spoolFolder(context), number)
    for (const [language, words] of context.catalogue)
      for (const { wordId } of words) this.#languages.set(wordId, language)
  }

  read(texts: ClipText[]): (SoundText | FaultyText)[] {
    return texts.map(checkText)
  }

  index({ clips, cached }: ClipGroup): GroupIndexed {
    if (cached) return { indexed: this.#unpack(cached, clips) }
    const packed: Packed[] = []
    const indexed = clips.map((planned): ClipIndexed => {
      const { spooled, made, ...news } = planned.text
        ? this.#publish(planned, planned.text)
        : this.#indexPublished(planned)
      packed.push({ ...made, ...spooled })
      this.#put(made, planned.clip.ordinal, spooled)
      return { ...made, ...news }
    })
    return { indexed, packed: ownBytes(zstdCompressSync(serialize(packed), fast)) }
  }

  flush(): void {
    this.#spool.end()
    this.#lexicons.clear()
    this.#analysers.clear()
  }

  list(bucket: number): [number, ClipList][] {
    const items = itemsByWord(takeLines(spoolFolder(this.#context), String(bucket), maxWorkers))
    return Array.from(items, ([wordId, ofWord]) => {
      items.delete(wordId)
      const language = this.#languages.get(wordId)!
      return [wordId, listWord({ wordId, language }, ofWord, this.#context)]
    })
  }

  sentences(range: SegmentRange): WrittenSentences {
    const { outFolder, workFolder, segmentOrdinals } = this.#context
    const folder = spoolFolder(this.#context)
    const { entry, files, heard } = makeSegment(folder, range, maxWorkers, segmentOrdinals)
    for (const [i, path] of segmentPaths(entry).entries())
      writeMissing(workFolder, join(outFolder, path), files[i]!)
    return { entry, heard }
  }

  #unpack(cached: Uint8Array, clips: readonly ClipToIndex[]): IndexedClip[] {
    const packed = deserialize(zstdDecompressSync(cached)) as Packed[]
    return packed.map(({ items, speech, ...made }, i) => {
      this.#put(made, clips[i]!.clip.ordinal, { items, speech })
      return { ...made, termVector: ownBytes(made.termVector) }
    })
  }

  /** Adds what the lists and the sentence index need of a clip to the spool. */
  #put({ clip: { clipId, language } }: IndexedClip, ordinal: number, { items, speech }: Spooled): void {
    for (const line of items) this.#spool.add(bucketOf(Number.parseInt(line)), line)
    const clip = { ordinal, clipId }
    this.#spool.add(...speechLine(language, clip, speech, this.#context.segmentOrdinals))
  }

  /**
   * Writes the record and the transcript of a clip under their final names, which nothing in
   * service uses.
   */
  #publish({ clip: { clipId, revision, language } }: ClipToIndex, text: SoundText): Made {
    const { urls, indexedAt, outFolder } = this.#context
    const source = this.#readSource(text)
    const cues = tokeniseCues(source.cues, language)
    const analysis = this.#analyse(cues, language, null)
    const index = indexClip(cues, this.#lexicon(language))
    const record = renderClip(source, urls, index.hits.size, indexedAt)
    const recordBytes = Buffer.from(JSON.stringify(record))
    const transcript = Buffer.from(JSON.stringify(renderTranscript(source, cues, index.wordIds)))
    writeWithFolder(`${outFolder}/${clipPath(clipId, revision)}`, recordBytes)
    writeWithFolder(`${outFolder}/${transcriptPath(clipId, revision)}`, transcript)
    return {
      ...finish(record, cues, index),
      published: { recordDigest: shortDigest(recordBytes), transcriptDigest: shortDigest(transcript) },
      traits: traitsOf(cues, analysis),
    }
  }

  /** Indexes a clip from its published files. */
  #indexPublished({ clip, traits }: ClipToIndex): Made {
    const { clipId, revision, recordDigest, transcriptDigest } = clip
    const record = JSON.parse(
      this.#readPublished(clipPath(clipId, revision), recordDigest).toString(),
    ) as Clip
    const bytes = this.#readPublished(transcriptPath(clipId, revision), transcriptDigest)
    const known = traits as Traits
    const cues = tokenisedFromPublished(JSON.parse(bytes.toString()) as Transcript, known)
    const analysis = this.#analyse(cues, clip.language, known.analysis ?? null)
    const index = indexClip(cues, this.#lexicon(clip.language))
    return {
      ...finish(record, cues, index),
      ...(analysis === null || analysis === known.analysis ? {} : { traits: { ...known, analysis } }),
    }
  }

  #readPublished(path: string, digest: string): Buffer {
    const bytes = readFileSync(join(this.#context.outFolder, path))
    const found = shortDigest(bytes)
    if (found !== digest)
      throw new SyntaxError(
        `cannot index "${path}": it must have the digest ${digest} of the ledger, it has ${found}`,
      )
    return bytes
  }

  #readSource({ file, digest, ...place }: SoundText): SourceClip {
    const parsed = parseClip(readTextAt(this.#context.corpusFolder, file, place))
    if (parsed.ok && sourceDigest(parsed.value) === digest) return parsed.value
    throw new BuildStopped(`"${file}" changed while it was read: nothing was published`)
  }

  #analyse(cues: readonly TokenisedCue[], language: string, kept: KeptWords | null): KeptWords | null {
    return this.#context.hasAnalysers ? this.#analyser(language).analyse(cues, kept) : null
  }

  #analyser(language: string): ClipAnalyser {
    return this.#analysers.getOrInsertComputed(language, () => {
      const words = this.#context.catalogue.get(language) ?? []
      return new ClipAnalyser(language, words, this.#analyserPort)
    })
  }

  /** The words of a language by their spellings; empty if it has no catalogue. */
  #lexicon(language: string): Lexicon {
    const { catalogue, hasAnalysers } = this.#context
    return this.#lexicons.getOrInsertComputed(
      language,
      () => new Lexicon(language, catalogue.get(language) ?? [], hasAnalysers),
    )
  }
}

/** What a clip gives. */
function finish(
  record: Clip,
  cues: readonly TokenisedCue[],
  index: ClipIndex,
): Pick<Made, 'made' | 'spooled'> {
  const shares = sharesByLevel(index.tokensByLevel)
  const rank = levelRank(record.level)
  const renderer = new ItemRenderer(record, cues, index.spellings)
  const items = Array.from(index.hits, ([{ wordId, level }, hits]) => {
    const item = renderer.item(shares[levelRank(level)]!, hits)
    return itemLine(wordId, sortKeyOf(rank, item), JSON.stringify(item))
  })
  const made = {
    clip: toFeedClip(record),
    wordCount: record.wordCount,
    indexedAtMs: Date.parse(record.indexedAt),
    termVector: termVectorOf(index, cues),
  }
  return { made, spooled: { items, speech: clipSpeech(cues, index, record.language) } }
}

/** Takes half the time of the usual level, for a tenth more bytes. */
const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

function spoolFolder({ workFolder }: Pick<WorkerContext, 'workFolder'>): string {
  return join(workFolder, 'spool')
}
