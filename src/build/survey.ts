import type { Problem } from '#corpus/problem.ts'
import type { Found, FoundClip } from './found.ts'
import { isFault } from './found.ts'
import type { Ledger, LedgerEntry } from '#tree/ledger.ts'
import type { RenderedClip } from './tasks.ts'

/** A text of a source file, what it turned out to be, and the clip that was rendered from it, if it was. */
export interface ReadText {
  file: string
  found: Found
  rendered: RenderedClip | null
}

/** A source clip that was accepted. */
export interface Surveyed extends FoundClip {
  file: string
  line?: number
  rendered: RenderedClip | null
}

/** What reading the source came to. */
export interface Survey {
  /** By clip id, in path order: one clip a video. */
  accepted: Map<string, Surveyed>
  rejected: Problem[]
  /** Published clips that a rejected source clip speaks of: spoilt, not gone. By clip id, with the fault. */
  spoilt: Map<string, Problem>
}

/**
 * Decides which of the texts of the source are taken; they come in path order.
 *
 * @throws {FirstReject} under `strict`, where one is rejected
 */
export function surveySource(texts: Iterable<ReadText>, ledger: Ledger, strict: boolean): Survey {
  const surveyor = new Surveyor(ledger, strict)
  for (const text of texts) surveyor.take(text)
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
  readonly #publishedByVideo = new Map<string, LedgerEntry>()
  readonly #publishedBySource = new Map<string, LedgerEntry>()
  readonly #published: Map<string, LedgerEntry>
  readonly #strict: boolean
  readonly #byVideo = new Map<string, Surveyed[]>()
  readonly #rejected: Problem[] = []
  readonly #spoilt = new Map<string, Problem>()

  constructor(ledger: Ledger, strict: boolean) {
    this.#published = ledger.entries
    for (const entry of ledger.entries.values()) {
      this.#publishedByVideo.set(entry.videoId, entry)
      if (entry.source.endsWith('.json') && !entry.withdrawn) this.#publishedBySource.set(entry.source, entry)
    }
    this.#strict = strict
  }

  take({ file, found, rendered }: ReadText): void {
    const place = { file, ...(found.line === undefined ? {} : { line: found.line }) }
    if (isFault(found)) {
      const { field, reason } = found
      const problem = { ...place, ...(field === undefined ? {} : { field }), reason }
      this.#reject(problem, this.#publishedAs(found.videoId, file))
      return
    }
    const { clipId, videoId, language, digest } = found
    const surveyed: Surveyed = { ...place, clipId, videoId, language, digest, rendered }
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
    if (candidates.length === 1 && candidates[0]!.clipId === clipId) return candidates[0]
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
  #publishedAs(videoId: string | undefined, file: string): LedgerEntry | undefined {
    return videoId === undefined ? this.#publishedBySource.get(file) : this.#publishedByVideo.get(videoId)
  }

  /** A fault without a line is of a file of one clip, or of one that is empty: it begins there. */
  #reject(fault: Problem, published?: LedgerEntry): void {
    const { file, line = 1, ...rest } = fault
    const problem = { file, line, ...rest }
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
