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
import { ClipAnalyser } from '#indexing/clip-analyser.ts'
import { indexClip, type ClipIndex } from '#indexing/index-clip.ts'
import type { KeptWords } from '#indexing/kept-words.ts'
import { Lexicon } from '#indexing/lexicon.ts'
import { tokeniseCues, type TokenisedCue } from '#indexing/tokenise.ts'
import { shortDigest } from '#kit/digest.ts'
import { ownBytes } from '#kit/own-bytes.ts'
import { clipPath, transcriptPath } from '#release/paths.ts'
import { segmentPaths } from '#release/sentences/layout.ts'
import type { Speech } from '#release/sentences/writer.ts'
import type { ClipList } from '#release/words/layout.ts'
import { renderClip, renderTranscript, type UrlTemplates } from '#rendering/records.ts'
import { renderItems, sortKeyOf } from '#rendering/word-clips.ts'
import type { PublishedClip } from '#tree/state.ts'
import { BuildStopped } from './build-stopped.ts'
import { clipSpeech } from './clip-speech.ts'
import { bucketOf, itemLine, itemsByWord, listWord } from './list-word.ts'
import { makeSegment, speechBucket, type SegmentRange } from './segments.ts'
import { checkText, sourceDigest, type FaultyText, type SoundText } from './source-text.ts'
import { addLines, takeLines } from './spool.ts'
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
  /** How many ordinals a segment of the sentence index covers. */
  segmentOrdinals: number
}

/** Clips that are cached together. */
export interface ClipGroup {
  /** Each with what the ledger keeps for re-indexing, if it is indexed again. */
  clips: { clip: PublishedClip; text: SoundText | null; traits: object | null }[]
  /** What the cache has of them. */
  cached: Uint8Array | null
}

/** What a release shows of a clip, and what is new of it. */
export interface IndexedClip {
  record: Clip
  /** The words that its tokens are indexed under, by `wordId` (`termVectorOf`). */
  termVector: string
  /** The digests of the files that were written. */
  published?: { recordDigest: string; transcriptDigest: string }
  /** What the ledger keeps of it, if that is new. */
  traits?: object
}

/** What a clip gives under the lexicon of its language: what the cache keeps. */
interface IndexedSpeech extends Pick<IndexedClip, 'record' | 'termVector'> {
  /** Its items for the lists of its words, as lines. */
  items: string[]
  /** What sentence search needs of it. */
  speech: Speech
}

/**
 * Does the work of a build that is done clip by clip or word by word. A build has one, or one per
 * thread. All that its tasks take and give can be sent between threads.
 */
export class BuildWorker {
  readonly #context: WorkerContext
  readonly #spoolFolder: string
  readonly #number: number
  readonly #indexers = new Map<string, { lexicon: Lexicon; analyser: ClipAnalyser }>()
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
    this.#spoolFolder = join(context.workFolder, 'spool')
    this.#number = number
    for (const [language, words] of context.catalogue)
      for (const { wordId } of words) this.#languages.set(wordId, language)
  }

  /** Checks texts of source files. */
  read(texts: ClipText[]): (SoundText | FaultyText)[] {
    return texts.map(checkText)
  }

  /**
   * Indexes groups of clips, and writes the records and transcripts of those that are published
   * now. `packed` is what the cache keeps of a group, if that is new.
   *
   * @throws {BuildStopped} a source file changed since it was read
   */
  index(groups: ClipGroup[]): { indexed: IndexedClip[]; packed?: Uint8Array }[] {
    const spooled = new Map<string, string[]>()
    const done = groups.map(({ clips, cached }) => {
      const made = cached ? unpack(cached) : clips.map((planned) => this.#indexOne(planned))
      for (const [i, { found }] of made.entries()) this.#spool(found, clips[i]!.clip.ordinal, spooled)
      const indexed = made.map(({ found: { record, termVector }, ...news }) => ({
        record,
        termVector,
        ...news,
      }))
      return cached ? { indexed } : { indexed, packed: pack(made.map(({ found }) => found)) }
    })
    addLines(this.#spoolFolder, this.#number, spooled)
    return done
  }

  /** Writes the lists of the words of a bucket. All clips are indexed: the lexicons are freed. */
  list(bucket: number): [wordId: number, list: ClipList][] {
    this.#indexers.clear()
    const items = itemsByWord(takeLines(this.#spoolFolder, String(bucket), maxWorkers))
    return Array.from(items, ([wordId, ofWord]) => {
      items.delete(wordId)
      const language = this.#languages.get(wordId)!
      return [wordId, listWord({ wordId, language }, ofWord, this.#context)]
    })
  }

  /**
   * Writes a segment of the sentence index from the spool. Returns it with the forms that each word
   * was heard in, by word id.
   */
  sentences(range: SegmentRange) {
    const { outFolder, workFolder, segmentOrdinals } = this.#context
    const { entry, files, heard } = makeSegment(this.#spoolFolder, range, maxWorkers, segmentOrdinals)
    for (const [i, path] of segmentPaths(entry).entries())
      writeMissing(workFolder, join(outFolder, path), files[i]!)
    return { entry, heard }
  }

  #indexOne({ clip, text, traits }: ClipGroup['clips'][number]) {
    return text ? this.#publish(clip, text) : this.#indexPublished(clip, traits as Traits)
  }

  /** Adds what the lists and the sentence index need of a clip to the lines for the spool. */
  #spool({ record, items, speech }: IndexedSpeech, ordinal: number, lines: Map<string, string[]>): void {
    const { clipId, language } = record
    const add = (bucket: string, line: string) => lines.getOrInsertComputed(bucket, () => []).push(line)
    for (const line of items) add(bucketOf(Number.parseInt(line)), line)
    const speechLine = JSON.stringify([{ ordinal, clipId }, speech])
    add(speechBucket(language, ordinal, this.#context.segmentOrdinals), speechLine)
  }

  /**
   * Writes the record and the transcript of a clip under their final names, which nothing in
   * service uses.
   */
  #publish({ clipId, revision, language }: PublishedClip, text: SoundText) {
    const { urls, indexedAt, outFolder } = this.#context
    const source = { ...this.#readSource(text), clipId }
    const cues = tokeniseCues(source.cues, language)
    const { index, analysis } = this.#index(cues, language, null)
    const record = renderClip(source, urls, index.hits.size, indexedAt)
    const recordText = JSON.stringify(record)
    const transcript = JSON.stringify(renderTranscript(source, cues, index.wordIds))
    writeWithFolder(`${outFolder}/${clipPath(clipId, revision)}`, recordText)
    writeWithFolder(`${outFolder}/${transcriptPath(clipId, revision)}`, transcript)
    return {
      found: indexedSpeech(record, cues, index),
      published: { recordDigest: shortDigest(recordText), transcriptDigest: shortDigest(transcript) },
      traits: traitsOf(cues, analysis),
    }
  }

  /** Indexes a clip from its published files. */
  #indexPublished({ clipId, revision, recordDigest, transcriptDigest }: PublishedClip, traits: Traits) {
    const record = this.#readPublished(clipPath(clipId, revision), recordDigest) as Clip
    const transcript = this.#readPublished(transcriptPath(clipId, revision), transcriptDigest) as Transcript
    const cues = tokenisedFromPublished(transcript, traits)
    const { index, analysis } = this.#index(cues, record.language, traits.analysis)
    const found = indexedSpeech(record, cues, index)
    return analysis === null || analysis === traits.analysis
      ? { found }
      : { found, traits: { ...traits, analysis } }
  }

  #index(cues: readonly TokenisedCue[], language: string, kept: KeptWords | null) {
    const { catalogue, hasAnalysers } = this.#context
    const { lexicon, analyser } = this.#indexers.getOrInsertComputed(language, () => {
      const words = catalogue.get(language) ?? []
      return {
        lexicon: new Lexicon(language, words, hasAnalysers),
        analyser: new ClipAnalyser(language, words, this.#analyserPort),
      }
    })
    const analysis = hasAnalysers ? analyser.analyse(cues, kept) : null
    return { index: indexClip(cues, lexicon), analysis }
  }

  #readPublished(path: string, digest: string): unknown {
    const bytes = readFileSync(join(this.#context.outFolder, path))
    const found = shortDigest(bytes)
    if (found === digest) return JSON.parse(bytes.toString())
    throw new SyntaxError(
      `cannot index "${path}": it must have the digest ${digest} of the ledger, it has ${found}`,
    )
  }

  #readSource({ file, digest, ...place }: SoundText): SourceClip {
    const parsed = parseClip(readTextAt(this.#context.corpusFolder, file, place))
    if (parsed.ok && sourceDigest(parsed.value) === digest) return parsed.value
    throw new BuildStopped(`"${file}" changed while it was read: nothing was published`)
  }
}

/** Takes half the time of the usual level, for a tenth more bytes. */
const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

function pack(group: IndexedSpeech[]): Uint8Array {
  return ownBytes(zstdCompressSync(serialize(group), fast))
}

function unpack(cached: Uint8Array) {
  const group = deserialize(zstdDecompressSync(cached)) as IndexedSpeech[]
  return group.map((found) => ({ found }))
}

function indexedSpeech(record: Clip, cues: readonly TokenisedCue[], index: ClipIndex): IndexedSpeech {
  const rank = levelRank(record.level)
  return {
    record,
    termVector: termVectorOf(index, cues),
    items: Array.from(renderItems(record, cues, index), ([{ wordId }, item]) =>
      itemLine(wordId, sortKeyOf(rank, item), JSON.stringify(item)),
    ),
    speech: clipSpeech(cues, index, record.language),
  }
}
