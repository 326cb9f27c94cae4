import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Clip } from '#contract/clip.ts'
import { levelRank, levels } from '#contract/levels.ts'
import type { Transcript } from '#contract/transcript.ts'
import type { ClipText } from '#corpus/clip-files.ts'
import type { Catalogue } from '#corpus/read-catalogue.ts'
import type { SourceClip } from '#corpus/source-clip.ts'
import { ClipAnalyser } from './index/clip-analyser.ts'
import { indexClip, type ClipIndex } from './index/index-clip.ts'
import type { KeptWords } from './index/kept-words.ts'
import { Lexicon } from './index/lexicon.ts'
import { tokeniseCues, type TokenisedCue } from './index/tokenise.ts'
import { shortDigest } from '#kit/digest.ts'
import { ownBytes } from '#kit/own-bytes.ts'
import { clipPath, transcriptPath } from '#release/paths.ts'
import { segmentPaths } from '#release/sentences/layout.ts'
import type { SegmentClip, Speech } from '#release/sentences/writer.ts'
import { TextColumnWriter } from '#release/text-column.ts'
import type { ClipList } from '#release/words/layout.ts'
import { renderClip, renderTranscript, type UrlTemplates } from './render/records.ts'
import { renderItems, sortKeyOf } from './render/word-clips.ts'
import type { PublishedClip } from '#tree/state.ts'
import { clipSpeech } from './clip-speech.ts'
import { itemsBucket, itemsByWord, wordIdOf, WordLister } from './list-word.ts'
import { makeSegment, speechBucket, type BuiltSegment, type SegmentRange } from './segments.ts'
import { checkText, type FaultyText, type SoundText } from './source-text.ts'
import { addLines, emptySpool, keepTexts, readKept, takeLines, type Lines } from './spool.ts'
import { termVectorOf } from './term-vectors.ts'
import { tokenisedFromPublished, traitsOf, type Traits } from './tokenised-clip.ts'
import { writeMissing, writeWithFolder } from './write-file.ts'

/** The most workers of a build: each has a catalogue of its own in memory. */
export const maxWorkers = 16

/** What every worker of a build receives. It can be sent between threads. */
export interface WorkerContext {
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

/**
 * Does the work of a build that is done clip by clip or word by word. A build has one, or one per
 * thread. All that its tasks take and give can be sent between threads.
 */
export class BuildWorker {
  readonly #context: WorkerContext
  readonly #spoolFolder: string
  readonly #number: number
  /** How many bytes of sound texts it has kept: the next one goes behind them. */
  #keptBytes = 0
  readonly #indexers = new Map<string, { lexicon: Lexicon; analyser: ClipAnalyser }>()
  readonly #analyserPort: MessagePort | undefined
  /** By wordId. */
  readonly #languages = new Map<number, string>()
  /** The lines of a group, as bytes: the garbage collector would copy texts. */
  #group = new TextColumnWriter()

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

  /** Checks texts of source files, and keeps the content of those that are sound. */
  read(texts: ClipText[]): (SoundText | FaultyText)[] {
    const kept: string[] = []
    const keep = (content: string) => {
      kept.push(content)
      const from = this.#keptBytes
      return { worker: this.#number, from, to: (this.#keptBytes += Buffer.byteLength(content)) }
    }
    const checked = texts.map((text) => checkText(text, keep))
    keepTexts(this.#spoolFolder, this.#number, kept)
    return checked
  }

  /**
   * Indexes groups of clips, and writes the records and transcripts of those that are published
   * now. `packed` is what the cache keeps of a group, if that is new.
   */
  index(groups: ClipGroup[]): { indexed: IndexedClip[]; packed?: Uint8Array }[] {
    const spooled: Lines = new Map()
    const done = groups.map(({ clips, cached }) => {
      this.#group.clear()
      const made = (cached ? [] : clips).map(({ clip, text, traits }) => {
        const { lines, news } = text
          ? this.#publish(clip, text)
          : this.#indexPublished(clip, traits as Traits)
        this.#group.add(`${lines}\n\n`)
        return news
      })
      const bytes = cached ? zstdDecompressSync(cached, { chunkSize: 1 << 20 }) : this.#group.finish().bytes
      const found = bytes.toString('latin1').split('\n\n')
      const indexed = clips.map(({ clip }, i) => ({
        ...this.#spool(found[i]!, clip, spooled),
        ...made[i],
      }))
      return cached ? { indexed } : { indexed, packed: ownBytes(zstdCompressSync(bytes, fast)) }
    })
    addLines(this.#spoolFolder, this.#number, spooled)
    return done
  }

  /** Writes the lists of the words of a bucket. */
  list(bucket: number): [wordId: number, list: ClipList][] {
    this.#endIndexing()
    const listers = new Map<number, WordLister>()
    const newLister = (wordId: number) =>
      new WordLister({ wordId, language: this.#languages.get(wordId)! }, this.#context)
    for (const rank of levels.keys()) {
      const items = itemsByWord(takeLines(this.#spoolFolder, itemsBucket(bucket, rank), maxWorkers))
      for (const [wordId, ofWord] of items) listers.getOrInsertComputed(wordId, newLister).add(rank, ofWord)
    }
    return Array.from(listers, ([wordId, lister]) => [wordId, lister.finish()])
  }

  /**
   * Writes a segment of the sentence index from the spool, unless all files of the cached one are
   * there and sound.
   */
  sentences({ range, cached }: { range: SegmentRange; cached: BuiltSegment | null }): BuiltSegment {
    this.#endIndexing()
    const { outFolder, workFolder, segmentOrdinals } = this.#context
    const pathsOf = ({ entry }: BuiltSegment) => segmentPaths(entry).map((path) => join(outFolder, path))
    const isSound = (path: string, digest: string) =>
      existsSync(path) && shortDigest(readFileSync(path)) === digest
    if (cached && pathsOf(cached).every((path, i) => isSound(path, cached.digests[i]!))) return cached
    const { made, files } = makeSegment(this.#spoolFolder, range, maxWorkers, segmentOrdinals)
    for (const [i, path] of pathsOf(made).entries()) writeMissing(workFolder, path, files[i]!)
    return made
  }

  /** Frees what only indexing needs: all clips are indexed. */
  #endIndexing(): void {
    if (this.#keptBytes > 0) emptySpool(this.#spoolFolder, 'kept', this.#number)
    this.#keptBytes = 0
    this.#group = new TextColumnWriter()
    this.#indexers.clear()
  }

  /**
   * Adds what the lists and the sentence index need of a clip to the spool, and returns the rest.
   * `found` is its lines (`linesOf`) as a byte text.
   */
  #spool(found: string, { language, ordinal }: PublishedClip, spooled: Lines) {
    const [shown, speech, ...items] = found.split('\n') as [string, string, ...string[]]
    const clip = JSON.parse(Buffer.from(shown, 'latin1').toString()) as Pick<
      IndexedClip,
      'record' | 'termVector'
    >
    const rank = levelRank(clip.record.level)
    const add = (bucket: string | number, line: string) =>
      spooled.getOrInsertComputed(bucket, () => []).push(line)
    for (const line of items) add(itemsBucket(wordIdOf(line), rank), line)
    add(speechBucket(language, ordinal, this.#context.segmentOrdinals), speech)
    return clip
  }

  /**
   * Writes the record and the transcript of a clip under their final names, which nothing in
   * service uses.
   */
  #publish({ clipId, ordinal, revision, language }: PublishedClip, text: SoundText) {
    const { urls, indexedAt, outFolder } = this.#context
    const kept = JSON.parse(readKept(this.#spoolFolder, text.kept)) as SourceClip
    const source = { ...kept, clipId }
    const cues = tokeniseCues(source.cues, language)
    const { index, analysis } = this.#index(cues, language, null)
    const record = renderClip(source, urls, index.hits.size, indexedAt)
    const recordText = JSON.stringify(record)
    const transcript = JSON.stringify(renderTranscript(source, cues, index.wordIds))
    writeWithFolder(`${outFolder}/${clipPath(clipId, revision)}`, recordText)
    writeWithFolder(`${outFolder}/${transcriptPath(clipId, revision)}`, transcript)
    const published = { recordDigest: shortDigest(recordText), transcriptDigest: shortDigest(transcript) }
    return {
      lines: linesOf(record, ordinal, cues, index),
      news: { published, traits: traitsOf(cues, analysis) },
    }
  }

  /** Indexes a clip from its published files. */
  #indexPublished(
    { clipId, ordinal, revision, recordDigest, transcriptDigest }: PublishedClip,
    traits: Traits,
  ) {
    const record = this.#readPublished(clipPath(clipId, revision), recordDigest) as Clip
    const transcript = this.#readPublished(transcriptPath(clipId, revision), transcriptDigest) as Transcript
    const cues = tokenisedFromPublished(transcript, traits)
    const { index, analysis } = this.#index(cues, record.language, traits.analysis)
    const lines = linesOf(record, ordinal, cues, index)
    return analysis === null || analysis === traits.analysis
      ? { lines, news: {} }
      : { lines, news: { traits: { ...traits, analysis } } }
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
}

/**
 * Takes a third of the time of the usual level, for a sixth more bytes: its tables fit into the
 * nearest memory of a processor.
 */
const fast = {
  params: {
    [constants.ZSTD_c_compressionLevel]: 1,
    [constants.ZSTD_c_windowLog]: 17,
    [constants.ZSTD_c_hashLog]: 13,
  },
  chunkSize: 1 << 19,
}

/**
 * What a clip gives under the lexicon of its language, and what the cache keeps, as lines of JSON:
 * what tables show of it, what sentence search needs of it, and its items for the lists of words.
 */
function linesOf(record: Clip, ordinal: number, cues: readonly TokenisedCue[], index: ClipIndex): string {
  const { clipId, language } = record
  const rank = levelRank(record.level)
  const shown = { record, termVector: termVectorOf(index, cues) }
  const spoken: [SegmentClip, Speech] = [{ ordinal, clipId }, clipSpeech(cues, index, language)]
  const lines = [JSON.stringify(shown), JSON.stringify(spoken)]
  for (const [{ wordId }, item] of renderItems(clipId, cues, index))
    lines.push(JSON.stringify([wordId, sortKeyOf(rank, item), item]))
  return lines.join('\n')
}
