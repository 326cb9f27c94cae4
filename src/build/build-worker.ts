import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import type { Clip } from '#contract/clip.ts'
import { levelRank } from '#contract/levels.ts'
import type { Transcript } from '#contract/transcript.ts'
import { readBlock, readClipText } from '#corpus/clip-blocks.ts'
import { parseClip } from '#corpus/parse-clip.ts'
import type { Catalogue } from '#corpus/read-catalogue.ts'
import type { SourceClip } from '#corpus/source-clip.ts'
import { ClipAnalyser, type KeptWords } from '#indexing/clip-analyser.ts'
import { indexClip, type ClipIndex } from '#indexing/index-clip.ts'
import { sharesByLevel } from '#indexing/known-share.ts'
import { Lexicon } from '#indexing/lexicon.ts'
import { tokeniseCues, type TokenisedCue } from '#indexing/tokenise.ts'
import { bufferOf, ByteWriter } from '#kit/byte-writer.ts'
import { shortDigest } from '#kit/digest.ts'
import { clipPath, transcriptPath } from '#release/paths.ts'
import { packPostings, type Posting } from '#release/postings/layout.ts'
import { segmentPaths } from '#release/sentences/layout.ts'
import { renderClip, toFeedClip, type UrlTemplates } from '#rendering/clip.ts'
import { CuesJson } from '#rendering/cues-json.ts'
import { ItemWriter } from '#rendering/item-writer.ts'
import { writeTranscript } from '#rendering/transcript.ts'
import { BuildStopped } from './build-stopped.ts'
import { clipSpeech } from './clip-speech.ts'
import { listClips } from './list-clips.ts'
import type {
  BlockRead,
  BlockToRead,
  BucketOfWords,
  ClipToReindex,
  ClipToRender,
  IndexedClip,
  RenderedClip,
  Tasks,
  WrittenSegment,
  WrittenSentences,
} from './tasks.ts'
import { makeSegment, SpeechSpool, type SegmentRange } from './speech-spool.ts'
import { toSourceText } from './to-source-text.ts'
import { tokenisedFromPublished, traitsOf, type Traits } from './tokenised-clip.ts'
import { Bucket, WordSpool } from './word-spool.ts'
import { writeWhole, writeWithFolder } from './write-file.ts'

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

/**
 * Does the work of a build that is done clip by clip or word by word. A build has one, or one per
 * thread.
 */
export class BuildWorker implements Tasks {
  readonly #context: WorkerContext
  readonly #spool: WordSpool
  readonly #speech: SpeechSpool
  readonly #lexicons = new Map<string, Lexicon>()
  readonly #analysers = new Map<string, ClipAnalyser>()
  readonly #analyserPort: MessagePort | undefined
  readonly #pageMemory = new ByteWriter()
  readonly #cuesJson = new CuesJson()
  readonly #transcript = new ByteWriter()

  /**
   * `number` identifies the worker, 0 … `maxWorkers` − 1. `analyserPort` leads to the thread that
   * analyses Japanese.
   */
  constructor(context: WorkerContext, number: number, analyserPort?: MessagePort) {
    this.#analyserPort = analyserPort
    this.#context = context
    this.#spool = new WordSpool(spoolFolder(context), number)
    this.#speech = new SpeechSpool(spoolFolder(context), number, context.segmentOrdinals)
  }

  read(blocks: BlockToRead[]): BlockRead[] {
    return blocks.map(({ known, bytes, ...block }) => {
      const byRaw = new Map(known.map((text) => [text.raw!, text]))
      const { texts, lineCount } = readBlock(this.#context.corpusFolder, block, bytes && bufferOf(bytes))
      return { lineCount, texts: texts.map((text) => toSourceText(text, byRaw)) }
    })
  }

  render(clips: ClipToRender[]): RenderedClip[] {
    return clips.map((clip) => this.#render(this.#parse(clip), clip))
  }

  reindex(clips: ClipToReindex[]): (IndexedClip | null)[] {
    return clips.map((entry) => {
      const { clipId, revision, recordDigest, transcriptDigest, traits, isCarried } = entry
      const record = this.#readPublished(clipPath(clipId, revision), recordDigest)
      const clip = JSON.parse(record.toString()) as Clip
      const transcript = this.#readPublished(transcriptPath(clipId, revision), transcriptDigest)
      const known = traits as Traits
      const cues = tokenisedFromPublished(JSON.parse(transcript.toString()) as Transcript, known)
      const analysis = this.#analyse(cues, clip.language, known.analysis ?? null)
      const index = this.#index(cues, clip.language)
      this.#spoolSpeech(clip, entry.ordinal, cues, index)
      if (isCarried) return null
      return {
        ...this.#spoolItems(clip, cues, index),
        ...(analysis === null || analysis === known.analysis ? {} : { traits: { ...known, analysis } }),
      }
    })
  }

  flush(): void {
    this.#spool.end()
    this.#speech.end()
    this.#lexicons.clear()
    this.#analysers.clear()
  }

  list({ bucket, words }: BucketOfWords): [number, WrittenSegment | null][] {
    using spooled = new Bucket(spoolFolder(this.#context), bucket, maxWorkers)
    return words.map((word) => {
      const items = spooled.take(word.wordId)
      return [word.wordId, listClips(word, items, this.#context, this.#pageMemory)]
    })
  }

  sentences(range: SegmentRange): WrittenSentences {
    const { outFolder, workFolder, segmentOrdinals } = this.#context
    const { entry, files, heard } = makeSegment(
      spoolFolder(this.#context),
      range,
      maxWorkers,
      segmentOrdinals,
    )
    for (const [i, path] of segmentPaths(entry).entries()) {
      const published = join(outFolder, path)
      // One that is there may have been damaged.
      const isThere = existsSync(published) && readFileSync(published).equals(files[i]!)
      if (!isThere) writeWhole(workFolder, published, files[i]!)
    }
    return { entry, heard }
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

  #parse({ file, from, to, raw }: ClipToRender): SourceClip {
    const text = readClipText(this.#context.corpusFolder, { file, from, to })
    const parsed = shortDigest(text) === raw ? parseClip(text) : null
    if (parsed?.ok) return parsed.value
    throw new BuildStopped(`"${file}" changed while it was read: nothing was published`)
  }

  /**
   * Writes the record and the transcript of a clip under their final names, which nothing in
   * service uses.
   */
  #render(source: SourceClip, { clipId, ordinal, revision }: ClipToRender): RenderedClip {
    const { urls, indexedAt, outFolder } = this.#context
    const cues = tokeniseCues(source.cues, source.language)
    const analysis = this.#analyse(cues, source.language, null)
    const index = this.#index(cues, source.language)
    const record = renderClip(source, urls, index.hits.size, indexedAt)
    const indexed = this.#spoolItems(record, cues, index)
    this.#spoolSpeech(record, ordinal, cues, index)
    const recordBytes = Buffer.from(JSON.stringify(record))
    this.#transcript.clear()
    writeTranscript(this.#transcript, source, this.#cuesJson)
    const transcriptBytes = this.#transcript.view()
    writeWithFolder(`${outFolder}/${clipPath(clipId, revision)}`, recordBytes)
    writeWithFolder(`${outFolder}/${transcriptPath(clipId, revision)}`, transcriptBytes)
    return {
      ...indexed,
      recordDigest: shortDigest(recordBytes),
      transcriptDigest: shortDigest(transcriptBytes),
      traits: traitsOf(cues, analysis),
    }
  }

  /** Indexes a clip, and writes its cues, which transcript and items are built from. */
  #index(cues: readonly TokenisedCue[], language: string): ClipIndex {
    const index = indexClip(cues, this.#lexicon(language))
    this.#cuesJson.write(cues, index.wordIds)
    return index
  }

  /** Adds the clip's items for the lists of its words to the spool. */
  #spoolItems(clip: Clip, cues: readonly TokenisedCue[], index: ClipIndex): IndexedClip {
    const shares = sharesByLevel(index.tokensByLevel)
    const writer = new ItemWriter(clip, shares, cues, this.#cuesJson)
    const rank = levelRank(clip.level)
    const postings: Posting[] = []
    for (const [{ wordId, level }, hits] of index.hits) {
      this.#spool.put(wordId, rank, (out) => writer.write(out, level, hits))
      postings.push({
        wordId,
        occurrenceCount: hits.length,
        tStartMs: Math.round(hits[0]!.tStart * 1000),
      })
    }
    return {
      fields: {
        clip: toFeedClip(clip),
        wordCount: clip.wordCount,
        indexedAtMs: Date.parse(clip.indexedAt),
      },
      postings: packPostings(shares, postings),
    }
  }

  /** Adds what is said in the clip for the sentence index to the spool. */
  #spoolSpeech(
    { clipId, level, language }: Clip,
    ordinal: number,
    cues: readonly TokenisedCue[],
    index: ClipIndex,
  ): void {
    const clip = { ordinal, clipId, level: levelRank(level) }
    this.#speech.put(language, clip, clipSpeech(cues, index, language))
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
    return this.#lexicons.getOrInsertComputed(
      language,
      () => new Lexicon(language, this.#context.catalogue.get(language) ?? []),
    )
  }
}

function spoolFolder({ workFolder }: Pick<WorkerContext, 'workFolder'>): string {
  return join(workFolder, 'spool')
}
