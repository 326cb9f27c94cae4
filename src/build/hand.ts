import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clip } from '#contract/clip.ts'
import type { Transcript } from '#contract/transcript.ts'
import { readBlock, type ClipBlock, type ClipText } from '#corpus/clip-blocks.ts'
import { clipIdOf } from '#corpus/clip-id.ts'
import { guessVideoId, parseClip } from '#corpus/parse-clip.ts'
import type { Catalogue } from '#corpus/read-catalogue.ts'
import type { SourceClip } from '#corpus/source-clip.ts'
import { indexClip, type ClipIndex, type TokenisedCue } from '#indexing/index-clip.ts'
import { sharesByLevel } from '#indexing/known-share.ts'
import { Lexicon } from '#indexing/lexicon.ts'
import { ByteWriter } from '#kit/byte-writer.ts'
import { sha256, shortDigest } from '#kit/digest.ts'
import { clipPath, transcriptPath } from '#release/paths.ts'
import { packPostings, type Posting } from '#release/postings/table.ts'
import { renderClip, toFeedClip, type UrlTemplates } from '#rendering/clip.ts'
import { CuesJson } from '#rendering/cues-json.ts'
import { WordClipPacker } from '#rendering/packed-word-clip.ts'
import { writeTranscript } from '#rendering/transcript.ts'
import { moveFile, writeMaking } from './aside.ts'
import { clipSpeech } from './clip-speech.ts'
import type { Found } from './found.ts'
import { listClips } from './list-clips.ts'
import type {
  BlockContent,
  BucketOfWords,
  IndexedClip,
  MadeSegment,
  Move,
  Reindexed,
  RenderedClip,
  Tasks,
} from './tasks.ts'
import { tokenisedFromPublished, tokenisedFromSource, traitsOf } from './tokenised-clip.ts'
import { takeBucket, WordSpool } from './word-spool.ts'

/** How many hands a build has at most: a slot tells by this modulus which hand gave it. Each has a catalogue of its own in memory. */
export const mostHands = 16

/** What every hand of a build is told. All of it can be sent between threads. */
export interface Briefing {
  corpusFolder: string
  outFolder: string
  /** For what is not whole yet. */
  asideFolder: string
  catalogue: Catalogue
  urls: UrlTemplates
  /** Of the clips that are published tonight. */
  indexedAt: string
  /** The digests of source clips that are published as they are: they are not rendered. */
  published: ReadonlySet<string>
  /** What texts turned out to be on the night before, by their own digest: they are not parsed. */
  seen: ReadonlyMap<string, Found>
}

/** Does the work of a build that can be done clip by clip or word by word; a build has one, or one a thread. */
export class Hand implements Tasks {
  readonly #briefing: Briefing
  readonly #number: number
  readonly #spool: WordSpool
  readonly #lexicons = new Map<string, Lexicon>()
  readonly #bucketMemory = new ByteWriter()
  readonly #pageMemory = new ByteWriter()
  readonly #cuesJson = new CuesJson()
  readonly #transcript = new ByteWriter()
  #clips = 0

  /** `number` tells the hands of a build apart, 0 … `mostHands` − 1. */
  constructor(briefing: Briefing, number: number) {
    this.#briefing = briefing
    this.#number = number
    this.#spool = new WordSpool(spoolFolder(briefing), number)
  }

  read(blocks: ClipBlock[], wanted?: ReadonlySet<string>): BlockContent[] {
    return blocks.map((block) => {
      const { texts, lineCount } = readBlock(this.#briefing.corpusFolder, block)
      const taken = texts.map((text) => this.#take(text, wanted))
      return {
        lineCount,
        found: taken.map(({ found }) => found),
        rendered: taken.map(({ rendered }) => rendered),
      }
    })
  }

  reindex(clips: Reindexed[]): IndexedClip[] {
    return clips.map(({ clipId, revision, recordDigest, transcriptDigest, traits, wantsSpeech }) => {
      const record = this.#readPublished(clipPath(clipId, revision), recordDigest)
      const clip = JSON.parse(record.toString()) as Clip
      const transcript = this.#readPublished(transcriptPath(clipId, revision), transcriptDigest)
      const cues = tokenisedFromPublished(JSON.parse(transcript.toString()) as Transcript, traits)
      return {
        ...this.#spoolItems(clip, cues, this.#index(cues, clip.language)),
        speech: wantsSpeech ? clipSpeech(cues, clip.language, transcript) : null,
      }
    })
  }

  flush(): void {
    this.#spool.end()
    this.#lexicons.clear()
  }

  move(moves: Move[]): void {
    for (const [from, to] of moves) moveFile(from, to)
  }

  list({ bucket, words }: BucketOfWords, dropped: ReadonlySet<number>): [number, MadeSegment | null][] {
    const spooled = takeBucket(spoolFolder(this.#briefing), bucket, mostHands, this.#bucketMemory)
    return words.map((word) => {
      const came = (spooled.get(word.wordId) ?? []).filter(({ slot }) => !dropped.has(slot))
      return [word.wordId, listClips(word, came, this.#briefing, this.#pageMemory)]
    })
  }

  #readPublished(path: string, digest: string): Buffer {
    const bytes = readFileSync(join(this.#briefing.outFolder, path))
    const found = shortDigest(bytes)
    if (found !== digest)
      throw new SyntaxError(
        `cannot index "${path}": it must have the digest ${digest} of the ledger, it has ${found}`,
      )
    return bytes
  }

  #take(
    { line, ...text }: ClipText,
    wanted: ReadonlySet<string> | undefined,
  ): { found: Found; rendered: RenderedClip | null } {
    const place = line === undefined ? {} : { line }
    if (text.text === null) {
      const videoId = guessVideoId(text.raw ?? '')
      return { found: { ...place, ...faultOf(text.reason, videoId) }, rendered: null }
    }
    const raw = shortDigest(text.text)
    const seen = this.#briefing.seen.get(raw)
    if (seen && !wanted) {
      const { line: _, ...rest } = seen
      return { found: { ...rest, ...place }, rendered: null }
    }
    const parsed = parseClip(text.text)
    if (!parsed.ok) {
      const { ok: _, ...fault } = parsed
      return {
        found: { ...place, raw, ...fault, ...faultOf(fault.reason, guessVideoId(text.text)) },
        rendered: null,
      }
    }
    const { videoId, language } = parsed.value
    const digest = sourceDigest(parsed.value)
    const found = { ...place, raw, clipId: clipIdOf(parsed.value), videoId, language, digest }
    const isWanted = wanted ? wanted.has(digest) : !this.#briefing.published.has(digest)
    return { found, rendered: isWanted ? this.#render(parsed.value) : null }
  }

  #render(source: SourceClip): RenderedClip {
    const { urls, indexedAt, asideFolder } = this.#briefing
    const cues = tokenisedFromSource(source)
    const index = this.#index(cues, source.language)
    const record = renderClip(source, urls, index.hits.size, indexedAt)
    const indexed = this.#spoolItems(record, cues, index)
    const recordBytes = Buffer.from(JSON.stringify(record))
    this.#transcript.clear()
    writeTranscript(this.#transcript, source, this.#cuesJson)
    const transcriptBytes = this.#transcript.view()
    writeMaking(asideRecord(asideFolder, indexed.slot), recordBytes)
    writeMaking(asideTranscript(asideFolder, indexed.slot), transcriptBytes)
    return {
      ...indexed,
      speech: clipSpeech(cues, source.language, transcriptBytes),
      recordDigest: shortDigest(recordBytes),
      transcriptDigest: shortDigest(transcriptBytes),
      traits: traitsOf(cues),
    }
  }

  /** Indexes a clip, and writes its cues, of which transcript and items are made. */
  #index(cues: readonly TokenisedCue[], language: string): ClipIndex {
    const index = indexClip(cues, this.#lexicon(language))
    this.#cuesJson.write(cues, index.wordIds)
    return index
  }

  /** Puts the clip's items for the lists of its words into the spool. */
  #spoolItems(clip: Clip, cues: readonly TokenisedCue[], index: ClipIndex): Omit<IndexedClip, 'speech'> {
    const slot = this.#clips++ * mostHands + this.#number
    const shares = sharesByLevel(index.tokensByLevel)
    const packer = new WordClipPacker(clip, shares, cues, this.#cuesJson)
    const postings: Posting[] = []
    for (const [{ wordId, level }, hits] of index.hits) {
      this.#spool.put(wordId, slot, (out) => packer.pack(out, level, hits))
      postings.push({
        wordId,
        occurrenceCount: hits.length,
        tStartMs: Math.round(hits[0]!.tStart * 1000),
      })
    }
    return {
      slot,
      json: JSON.stringify(toFeedClip(clip)),
      wordCount: clip.wordCount,
      indexedAtMs: Date.parse(clip.indexedAt),
      postings: packPostings(shares, postings),
    }
  }

  /** The catalogue of a language by what its words look like; empty for a language without one. */
  #lexicon(language: string): Lexicon {
    let lexicon = this.#lexicons.get(language)
    if (!lexicon) {
      lexicon = new Lexicon(language, this.#briefing.catalogue.get(language) ?? [])
      this.#lexicons.set(language, lexicon)
    }
    return lexicon
  }
}

/** The digest that tells whether a source clip is still the one that was published. */
function sourceDigest(clip: SourceClip): string {
  return sha256(JSON.stringify(clip)).toString('base64url')
}

function faultOf(reason: string, videoId: string | null): Found {
  return { reason, ...(videoId === null ? {} : { videoId }) }
}

/** A folder for each hand: two threads that make files in one folder wait for one another. */
export function asideRecord(asideFolder: string, slot: number): string {
  return `${asideFolder}/clips-${slot % mostHands}/${slot}.json`
}

export function asideTranscript(asideFolder: string, slot: number): string {
  return `${asideFolder}/transcripts-${slot % mostHands}/${slot}.json`
}

function spoolFolder({ asideFolder }: Pick<Briefing, 'asideFolder'>): string {
  return join(asideFolder, 'spool')
}
