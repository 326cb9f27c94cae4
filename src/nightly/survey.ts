import { clipIdOf } from '#corpus/clip-id.ts'
import { guessVideoId, parseClip } from '#corpus/parse-clip.ts'
import type { Problem } from '#corpus/problem.ts'
import { readClips, type ClipText } from '#corpus/read-clips.ts'
import type { SourceClip } from '#corpus/source-clip.ts'
import { sha256 } from '#kit/digest.ts'
import type { Ledger, LedgerEntry } from './ledger.ts'

/** A source clip that was accepted, without its content. */
export interface Surveyed {
  file: string
  line?: number
  clipId: string
  videoId: string
  language: string
  /** Of its normalised content: how the file is laid out does not count. */
  digest: string
}

/** What one reading of the source found. */
export interface Survey {
  /** By clip id, in path order: one clip a video. */
  accepted: Map<string, Surveyed>
  rejected: Problem[]
  /** Published clips that a rejected source clip speaks of: spoilt, not gone. By clip id, with the fault. */
  spoilt: Map<string, Problem>
}

/** The digest that tells whether a source clip is still the one that was published. */
export function sourceDigest(clip: SourceClip): string {
  return sha256(JSON.stringify(clip)).toString('hex')
}

/**
 * Reads the whole source once, keeping of each clip only what identifies it, and decides which are taken.
 *
 * @throws {FirstReject} under `strict`, at the first clip that is rejected
 */
export async function surveySource(corpusFolder: string, ledger: Ledger, strict: boolean): Promise<Survey> {
  const surveyor = new Surveyor(ledger, strict)
  for await (const item of readClips(corpusFolder)) surveyor.take(item)
  return surveyor.decide()
}

/** `--strict`: a source clip was rejected. */
export class FirstReject extends Error {
  override name = 'FirstReject'
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.reason)
    this.problem = problem
  }
}

class Surveyor {
  readonly #publishedByVideo: Map<string, LedgerEntry>
  readonly #publishedBySource: Map<string, LedgerEntry>
  readonly #published: Map<string, LedgerEntry>
  readonly #strict: boolean
  readonly #byVideo = new Map<string, Surveyed[]>()
  readonly #rejected: Problem[] = []
  readonly #spoilt = new Map<string, Problem>()

  constructor(ledger: Ledger, strict: boolean) {
    const entries = [...ledger.entries.values()]
    this.#published = ledger.entries
    this.#publishedByVideo = new Map(entries.map((entry) => [entry.videoId, entry]))
    this.#publishedBySource = new Map(
      entries.filter((entry) => entry.source.endsWith('.json')).map((entry) => [entry.source, entry]),
    )
    this.#strict = strict
  }

  take(item: ClipText): void {
    const place = { file: item.file, ...(item.line === undefined ? {} : { line: item.line }) }
    if (item.text === null) {
      this.#reject({ ...place, reason: item.reason }, this.#publishedAs(item.raw ?? '', item.file))
      return
    }
    const parsed = parseClip(item.text)
    if (!parsed.ok) {
      const { ok: _, ...fault } = parsed
      this.#reject({ ...place, ...fault }, this.#publishedAs(item.text, item.file))
      return
    }
    const { videoId, language } = parsed.value
    const surveyed = {
      ...place,
      clipId: clipIdOf(parsed.value),
      videoId,
      language,
      digest: sourceDigest(parsed.value),
    }
    const others = this.#byVideo.get(videoId)
    if (others) others.push(surveyed)
    else this.#byVideo.set(videoId, [surveyed])
  }

  decide(): Survey {
    const accepted = new Map<string, Surveyed>()
    for (const [videoId, candidates] of this.#byVideo) {
      const winner = this.#chooseOf(candidates, this.#publishedByVideo.get(videoId))
      if (!winner) continue
      const owner =
        accepted.get(winner.clipId)?.videoId ?? this.#published.get(winner.clipId)?.videoId ?? videoId
      if (owner === videoId) accepted.set(winner.clipId, winner)
      else
        this.#reject(
          { ...placeOf(winner), field: 'clipId', reason: `is the id of the clip of video "${owner}"` },
          this.#published.get(winner.clipId),
        )
    }
    return { accepted: inPathOrder(accepted), rejected: this.#rejected, spoilt: this.#spoilt }
  }

  /** Of the clips of one video the published one wins, else the first by path; the others are rejected. */
  #chooseOf(candidates: Surveyed[], published: LedgerEntry | undefined): Surveyed | undefined {
    const clipId = published?.clipId ?? candidates[0]!.clipId
    const named = candidates.filter((candidate) => candidate.clipId === clipId)
    for (const other of candidates.filter((candidate) => !named.includes(candidate))) {
      this.#reject(
        {
          ...placeOf(other),
          field: 'clipId',
          reason: `video "${other.videoId}" is published as clip ${clipId}`,
        },
        published,
      )
    }
    const winner =
      named.find((candidate) => candidate.digest === published?.sourceDigest) ??
      named.find((candidate) => candidate.file === published?.source) ??
      named[0]
    for (const other of named.filter((candidate) => candidate !== winner)) {
      const first = `${winner!.file}${winner!.line === undefined ? '' : `:${winner!.line}`}`
      this.#reject({
        ...placeOf(other),
        field: 'videoId',
        reason: `video "${other.videoId}" has a clip already, in ${first}`,
      })
    }
    return winner
  }

  /** The published clip that a spoilt text most likely was. */
  #publishedAs(text: string, file: string): LedgerEntry | undefined {
    const videoId = guessVideoId(text)
    return videoId === null ? this.#publishedBySource.get(file) : this.#publishedByVideo.get(videoId)
  }

  #reject(problem: Problem, published?: LedgerEntry): void {
    if (this.#strict) throw new FirstReject(problem)
    this.#rejected.push(problem)
    if (published) this.#spoilt.set(published.clipId, problem)
  }
}

function placeOf({ file, line }: Surveyed): { file: string; line?: number } {
  return line === undefined ? { file } : { file, line }
}

/** `byVideo` is in the order of first sight, which duplicates may have disturbed. */
function inPathOrder(accepted: Map<string, Surveyed>): Map<string, Surveyed> {
  const byPlace = (a: Surveyed, b: Surveyed) =>
    a.file < b.file ? -1 : a.file > b.file ? 1 : (a.line ?? 0) - (b.line ?? 0)
  return new Map([...accepted].sort(([, a], [, b]) => byPlace(a, b)))
}
