import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import type { Clip } from '#contract/clip.ts'
import { levelRank, levels } from '#contract/levels.ts'
import type { Transcript } from '#contract/transcript.ts'
import type { ClipText } from '#corpus/clip-files.ts'
import type { Catalogue } from '#corpus/read-catalogue.ts'
import type { SourceClip } from '#corpus/source-clip.ts'
import { shortDigest } from '#kit/digest.ts'
import { ownBytes } from '#kit/own-bytes.ts'
import { clipPath, transcriptPath } from '#release/paths.ts'
import { segmentPaths } from '#release/sentences/layout.ts'
import type { ClipList } from '#release/words/layout.ts'
import type { PublishedClip } from '#tree/state.ts'
import { packGroup, unpackGroup, type IndexedClip } from './clip-group.ts'
import { clipSpeech } from './clip-speech.ts'
import { packTerms } from './clip-terms.ts'
import { ClipAnalyser } from './index/clip-analyser.ts'
import { indexClip, type ClipIndex } from './index/index-clip.ts'
import type { StoredWords } from './index/stored-words.ts'
import { Lexicon } from './index/lexicon.ts'
import { tokeniseCues, type TokenisedCue } from './index/tokenise.ts'
import { itemsBucket, WordLister } from './list-word.ts'
import { renderClip, renderTranscript, type UrlTemplates } from './render/records.ts'
import { renderItems, sortKeyOf } from './render/word-clips.ts'
import { buildSegment, speechBucket, type BuiltSegment, type SegmentRange } from './segments.ts'
import { checkText, type FaultyText, type SoundText, type StoredSource } from './source-text.ts'
import * as spool from './spool.ts'
import { tokenisedFromPublished, traitsOf, type Traits } from './tokenised-clip.ts'
import { describeLoss } from './build-stopped.ts'
import { isPublishedNow, type PlannedClip } from './planned-clip.ts'
import { writeMissing, writeWithFolder } from './write-file.ts'

/** The maximum number of workers of a build. Each has its own catalogue in memory. */
export const maxWorkers = 16

/** The input of every worker of a build. It can be sent between threads. */
export interface WorkerContext {
  outFolder: string
  /** For files in progress. */
  workFolder: string
  catalogue: Catalogue
  urls: UrlTemplates
  /** The publication time of the clips that this build publishes. */
  indexedAt: string
  /** Whether analysers also find words. */
  hasAnalysers: boolean
  /** The number of ordinals that a segment of the sentence index covers. */
  segmentOrdinals: number
}

/** Clips that are cached together. */
export interface ClipGroup {
  /** Each with its ledger data for re-indexing, if it is indexed again. */
  clips: (PlannedClip & { traits: object | null })[]
  /** The cached clips (`packGroup`); null if they must be indexed. */
  cachedGroup: Uint8Array | null
}

/** A clip as needed for the tables of the release, and its data for the state. */
export interface ClipResult extends Pick<IndexedClip, 'record' | 'terms'> {
  /** The digests of the files that were written. */
  publishedDigests?: { recordDigest: string; transcriptDigest: string }
  /** The clip's data in the ledger for re-indexing, if it is new. */
  traits?: object
}

/**
 * Does the part of a build's work that is done clip by clip or word by word. A build has one, or
 * one per thread. The inputs and results of its tasks can be sent between threads.
 */
export class BuildWorker {
  readonly #context: WorkerContext
  readonly #spoolFolder: string
  readonly #number: number
  /** The size of the valid texts stored so far. */
  #storedBytes = 0
  readonly #indexers = new Map<string, { lexicon: Lexicon; analyser: ClipAnalyser }>()
  readonly #analyserPort: MessagePort | undefined
  /** The workers that have written to the spool; undefined until it is complete. */
  #spoolWorkers: readonly number[] | undefined
  readonly #languageByWordId = new Map<number, string>()

  /** `number` is 0 … `maxWorkers` − 1. `analyserPort` leads to the analyser of Japanese. */
  constructor(context: WorkerContext, number: number, analyserPort?: MessagePort) {
    this.#analyserPort = analyserPort
    this.#context = context
    this.#spoolFolder = join(context.workFolder, 'spool')
    this.#number = number
    for (const [language, words] of context.catalogue)
      for (const { wordId } of words) this.#languageByWordId.set(wordId, language)
  }

  /** Checks texts of source files, and stores the content of the valid ones in the spool. */
  read(texts: ClipText[]): (SoundText | FaultyText)[] {
    const contents: string[] = []
    const store = (content: string) => {
      contents.push(content)
      const from = this.#storedBytes
      return { worker: this.#number, from, to: (this.#storedBytes += Buffer.byteLength(content)) }
    }
    const results = texts.map((text) => checkText(text, store))
    spool.storeSources(this.#spoolFolder, this.#number, contents)
    return results
  }

  /**
   * Indexes groups of clips, and writes the records and transcripts of those that are published
   * now. `packedGroup` is the group for the cache, unless it came from there.
   */
  index(groups: ClipGroup[]): { clips: ClipResult[]; packedGroup?: Uint8Array }[] {
    const frames: spool.FramesByBucket = new Map()
    const results = groups.map(({ clips, cachedGroup }) => {
      const indexedClips: (IndexedClip & ClipResult)[] = cachedGroup
        ? unpackGroup(cachedGroup)
        : clips.map(({ clip, source, traits }) =>
            source && isPublishedNow({ clip, source })
              ? this.#publish(clip, source)
              : this.#indexPublished(clip, traits as Traits, source),
          )
      for (const [i, { clip }] of clips.entries()) this.#addFrames(frames, clip, indexedClips[i]!)
      const packedGroup = cachedGroup ? undefined : packGroup(indexedClips)
      return {
        clips: indexedClips.map(({ record, terms, publishedDigests, traits }) => ({
          record,
          terms: ownBytes(terms),
          ...(publishedDigests && { publishedDigests }),
          ...(traits && { traits }),
        })),
        ...(packedGroup && { packedGroup }),
      }
    })
    spool.appendFrames(this.#spoolFolder, this.#number, frames)
    return results
  }

  /** Writes the lists of the words of a bucket. */
  list(bucket: number): [wordId: number, list: ClipList][] {
    this.#endIndexing()
    const listers = new Map<number, WordLister>()
    const newLister = (wordId: number) =>
      new WordLister({ wordId, language: this.#languageByWordId.get(wordId)! }, this.#context)
    for (const rank of levels.keys()) {
      const items = spool.takeItems(this.#spoolFolder, itemsBucket(bucket, rank), this.#spoolWorkers!)
      for (const [wordId, wordItems] of Map.groupBy(items, (item) => item.wordId))
        listers.getOrInsertComputed(wordId, newLister).add(rank, wordItems)
    }
    return Array.from(listers, ([wordId, lister]) => [wordId, lister.finish()])
  }

  /** Writes a segment from the spool, unless all files of the cached one are undamaged. */
  sentences({ range, cachedSegment }: { range: SegmentRange; cachedSegment: BuiltSegment | null }) {
    this.#endIndexing()
    const { outFolder, workFolder, segmentOrdinals } = this.#context
    const pathsOf = ({ entry }: BuiltSegment) => segmentPaths(entry).map((path) => join(outFolder, path))
    const isSound = (path: string, digest: string) =>
      existsSync(path) && shortDigest(readFileSync(path)) === digest
    if (cachedSegment && pathsOf(cachedSegment).every((path, i) => isSound(path, cachedSegment.digests[i]!)))
      return cachedSegment
    const { segment, files } = buildSegment(this.#spoolFolder, range, this.#spoolWorkers!, segmentOrdinals)
    for (const [i, path] of pathsOf(segment).entries()) writeMissing(workFolder, path, files[i]!)
    return segment
  }

  /**
   * Frees the data that only indexing needs, once all clips are indexed and the spool is complete.
   */
  #endIndexing(): void {
    this.#spoolWorkers ??= spool.spoolWorkers(this.#spoolFolder)
    if (this.#storedBytes > 0) spool.dropSources(this.#spoolFolder, this.#number)
    this.#storedBytes = 0
    this.#indexers.clear()
  }

  /** Adds a clip's data for the lists and the sentence index to the frames of their buckets. */
  #addFrames(frames: spool.FramesByBucket, { language, ordinal }: PublishedClip, clip: IndexedClip): void {
    const rank = levelRank(clip.record.level)
    const add = (bucket: string | number, frame: Buffer) =>
      frames.getOrInsertComputed(bucket, () => []).push(frame)
    for (const item of clip.items) add(itemsBucket(spool.wordIdOfFrame(item), rank), item)
    add(speechBucket(language, ordinal, this.#context.segmentOrdinals), clip.speech)
  }

  /** Writes a clip under its final names, which no release in service uses. */
  #publish({ clipId, ordinal, revision, language }: PublishedClip, storedSource: StoredSource) {
    const { urls, indexedAt, outFolder } = this.#context
    const { source, cues, index, analysis } = this.#readText(clipId, language, storedSource)
    const record = renderClip(source, urls, index.hits.size, indexedAt)
    const recordText = JSON.stringify(record)
    const transcript = JSON.stringify(renderTranscript(source, cues, index))
    writeWithFolder(`${outFolder}/${clipPath(clipId, revision)}`, recordText)
    writeWithFolder(`${outFolder}/${transcriptPath(clipId, revision)}`, transcript)
    const digests = { recordDigest: shortDigest(recordText), transcriptDigest: shortDigest(transcript) }
    return {
      ...indexedClip(record, ordinal, cues, index),
      publishedDigests: digests,
      traits: traitsOf(cues, analysis),
    }
  }

  /** Reads and indexes a clip of the source. */
  #readText(clipId: string, language: string, storedSource: StoredSource) {
    const content = JSON.parse(spool.readStoredSource(this.#spoolFolder, storedSource)) as SourceClip
    const source = { ...content, clipId }
    const cues = tokeniseCues(source.cues, language)
    return { source, cues, ...this.#index(cues, language, null, true) }
  }

  /** Indexes a clip from its published files. With a source, its transcript is restored first. */
  #indexPublished(publishedClip: PublishedClip, traits: Traits, source: StoredSource | null) {
    if (source) this.#restoreTranscript(publishedClip, source)
    const { clipId, ordinal, revision, recordDigest, transcriptDigest } = publishedClip
    const record = this.#readPublished(clipPath(clipId, revision), recordDigest) as Clip
    const transcript = this.#readPublished(transcriptPath(clipId, revision), transcriptDigest) as Transcript
    const cues = tokenisedFromPublished(transcript, traits)
    const { index, analysis } = this.#index(cues, record.language, traits.analysis)
    const clip = indexedClip(record, ordinal, cues, index)
    const isNew = analysis !== null && analysis !== traits.analysis
    return isNew ? { ...clip, traits: { ...traits, analysis } } : clip
  }

  /** @throws {SyntaxError} the catalogue or the rules now give the source another transcript */
  #restoreTranscript(
    { clipId, language, revision, transcriptDigest }: PublishedClip,
    storedSource: StoredSource,
  ) {
    const { outFolder, workFolder } = this.#context
    const { source, cues, index } = this.#readText(clipId, language, storedSource)
    const transcript = JSON.stringify(renderTranscript(source, cues, index))
    const path = transcriptPath(clipId, revision)
    if (shortDigest(transcript) !== transcriptDigest)
      throw new SyntaxError(describeLoss(path, clipId, 'the catalogue or the rules have changed since'))
    writeMissing(workFolder, join(outFolder, path), transcript)
  }

  #index(
    cues: readonly TokenisedCue[],
    language: string,
    storedWords: StoredWords | null,
    withReadings = false,
  ) {
    const { catalogue, hasAnalysers } = this.#context
    const { lexicon, analyser } = this.#indexers.getOrInsertComputed(language, () => {
      const words = catalogue.get(language) ?? []
      return {
        lexicon: new Lexicon(language, words, hasAnalysers),
        analyser: new ClipAnalyser(language, words, this.#analyserPort),
      }
    })
    const analysis = hasAnalysers ? analyser.analyse(cues, storedWords, withReadings) : null
    return { index: indexClip(cues, lexicon), analysis }
  }

  #readPublished(path: string, digest: string): unknown {
    const bytes = readFileSync(join(this.#context.outFolder, path))
    const actualDigest = shortDigest(bytes)
    if (actualDigest === digest) return JSON.parse(bytes.toString())
    throw new SyntaxError(
      `cannot index "${path}": its digest must be ${digest}, as in the ledger, but it is ${actualDigest}`,
    )
  }
}

/** Returns a clip in the form that later steps need, with each part as it is passed on. */
function indexedClip(record: Clip, ordinal: number, cues: readonly TokenisedCue[], index: ClipIndex) {
  const { clipId, language } = record
  const rank = levelRank(record.level)
  return {
    record,
    terms: packTerms(index, cues),
    speech: spool.speechFrame({ ordinal, clipId, speech: clipSpeech(cues, index, language) }),
    items: Array.from(renderItems(clipId, cues, index), ([{ wordId }, item]) =>
      spool.itemFrame(wordId, sortKeyOf(rank, item), item),
    ),
  }
}
