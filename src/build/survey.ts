import type { Problem } from '#corpus/problem.ts'
import type { PublishedClip, State } from '#tree/state.ts'
import { BuildStopped } from './build-stopped.ts'
import type { Source } from './read-source.ts'
import type { SoundText } from './source-text.ts'

/** Which texts of the source are accepted, and the faults of the others. */
export interface Survey {
  /** By file and line, each with what is published of its clip. */
  accepted: { text: SoundText; published: PublishedClip | null }[]
  rejected: Problem[]
  /**
   * By clip id, the published clips whose source is rejected, with the fault. They are invalid, not
   * gone.
   */
  invalid: Map<string, Problem>
}

/**
 * Decides which texts of the source are rejected: those that are invalid by themselves, and those
 * that conflict with others or with what is published.
 *
 * @throws {BuildStopped} with `strict`, if one is rejected
 */
export function surveySource({ sound, faulty }: Source, state: State, strict: boolean): Survey {
  const surveyor = new Surveyor(state, strict)
  for (const { videoId, ...fault } of faulty) {
    const published =
      videoId === undefined ? state.publishedFrom(fault.file) : state.published(videoId, 'videoId')
    surveyor.reject(fault, published)
  }
  for (const texts of Map.groupBy(sound, ({ videoId }) => videoId).values()) surveyor.settle(texts)
  return surveyor.survey
}

class Surveyor {
  readonly survey: Survey = { accepted: [], rejected: [], invalid: new Map() }
  readonly #state: State
  readonly #strict: boolean
  /** By clip id, the video of the accepted text. */
  readonly #videos = new Map<string, string>()

  constructor(state: State, strict: boolean) {
    this.#state = state
    this.#strict = strict
  }

  /**
   * Of several clips of one video the published one wins, else the first by path; the others are
   * rejected.
   */
  settle(texts: readonly SoundText[]): void {
    const published = this.#state.published(texts[0]!.videoId, 'videoId')
    const clipId = published?.clipId ?? texts[0]!.clipId
    const named = texts.filter((text) => text.clipId === clipId)
    const winner =
      named.find(({ digest }) => digest === published?.sourceDigest) ??
      named.find(({ file }) => file === published?.source) ??
      named[0]
    for (const text of texts) {
      if (text === winner) continue
      if (text.clipId === clipId)
        this.#rejectText(text, 'videoId', `has a clip already, in ${placeOf(winner!)}`)
      else this.#rejectText(text, 'clipId', `is published as clip ${clipId}`, published)
    }
    if (winner) this.#accept(winner, published)
  }

  #accept(text: SoundText, published: PublishedClip | null): void {
    const { clipId, videoId } = text
    const other = published ? null : this.#state.published(clipId)
    const owner = this.#videos.get(clipId) ?? other?.videoId ?? videoId
    if (owner === videoId) {
      this.#videos.set(clipId, videoId)
      this.survey.accepted.push({ text, published })
    } else {
      const { file, line } = text
      const fault = { file, line, field: 'clipId', reason: `is the id of the clip of video "${owner}"` }
      this.reject(fault, this.#state.published(clipId))
    }
  }

  #rejectText(
    { file, line, videoId }: SoundText,
    field: string,
    what: string,
    published?: PublishedClip | null,
  ) {
    this.reject({ file, line, field, reason: `video "${videoId}" ${what}` }, published)
  }

  /** A fault without a line belongs to a one-clip or empty file: it is reported at line 1. */
  reject({ line, file, ...rest }: Problem & { line: number }, published?: PublishedClip | null): void {
    const problem = { file, line: Math.max(1, line), ...rest }
    if (this.#strict)
      throw new BuildStopped('a source clip was rejected (--strict): nothing was published', [problem])
    this.survey.rejected.push(problem)
    if (published) this.survey.invalid.set(published.clipId, problem)
  }
}

function placeOf({ file, line }: SoundText): string {
  return line === 0 ? file : `${file}:${line}`
}
