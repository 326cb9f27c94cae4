import type { Problem } from '#corpus/problem.ts'
import type { PublishedClip, State } from '#tree/state.ts'
import { BuildStopped } from './build-stopped.ts'
import type { Source } from './read-source.ts'
import type { SoundText } from './source-text.ts'

/**
 * Decides which texts of the source are rejected: those that are invalid by themselves, and those
 * that conflict with others or with published clips.
 *
 * @throws {BuildStopped} with `strict`, if one is rejected
 */
export function surveySource({ sound, faulty }: Source, state: State, strict: boolean): Survey {
  const surveyor = new Surveyor(state, strict)
  for (const fault of faulty) surveyor.addFault(fault)
  for (const texts of groupByVideo(sound)) surveyor.addVideo(texts)
  return surveyor
}

/** The accepted texts of the source, and the faults of the others. */
export type Survey = Pick<Surveyor, 'acceptedTexts' | 'rejected' | 'invalid'>

class Surveyor {
  /** Ordered by file and line, each with the published data of its clip. */
  readonly acceptedTexts: { text: SoundText; publishedClip: PublishedClip | null }[] = []
  readonly rejected: Problem[] = []
  /** The faults of published clips with a rejected source, by clip id. They are not removed. */
  readonly invalid = new Map<string, Problem>()
  readonly #state: State
  readonly #isStrict: boolean
  /** The video of the accepted text, keyed by clip id. */
  readonly #videos = new Map<string, string>()

  constructor(state: State, isStrict: boolean) {
    this.#state = state
    this.#isStrict = isStrict
  }

  /** Adds a text that is invalid by itself. */
  addFault({ videoId, ...fault }: Source['faulty'][number]): void {
    const publishedClip =
      videoId === undefined
        ? this.#state.publishedFrom(fault.file)
        : this.#state.publishedClip(videoId, 'videoId')
    this.#reject(fault, publishedClip)
  }

  /** Adds the valid texts of a video, at least one. */
  addVideo(texts: readonly SoundText[]): void {
    const { videoId } = texts[0]!
    const publishedClip = this.#state.publishedClip(videoId, 'videoId')
    const clipId = publishedClip?.clipId ?? texts[0]!.clipId
    const winner = winnerOf(texts, clipId, publishedClip)
    for (const text of texts.filter((each) => each !== winner)) {
      const { file, line } = text
      const video = `video "${videoId}"`
      if (text.clipId === clipId) {
        const reason = `names ${video}, which already has a clip in ${placeOf(winner!)}`
        this.#reject({ file, line, field: 'videoId', reason }, null)
      } else {
        const reason = `differs from ${clipId}, under which ${video} is published`
        this.#reject({ file, line, field: 'clipId', reason }, publishedClip)
      }
    }
    if (winner) this.#accept(winner, clipId, publishedClip)
  }

  /** Accepts a text, unless its clip id belongs to the clip of another video. */
  #accept(text: SoundText, clipId: string, publishedClip: PublishedClip | null): void {
    const { file, line, videoId } = text
    const other = publishedClip ? null : this.#state.publishedClip(clipId)
    const owner = this.#videos.get(clipId) ?? other?.videoId ?? videoId
    if (owner === videoId) {
      this.#videos.set(clipId, videoId)
      this.acceptedTexts.push({ text, publishedClip })
    } else {
      const reason = `is already the id of the clip of video "${owner}"`
      this.#reject({ file, line, field: 'clipId', reason }, this.#state.publishedClip(clipId))
    }
  }

  /** A fault without a line, of an empty or single-clip file, is reported at line 1. */
  #reject({ line, file, ...rest }: Problem & { line: number }, publishedClip: PublishedClip | null): void {
    const problem = { file, line: Math.max(1, line), ...rest }
    if (this.#isStrict)
      throw new BuildStopped('a source clip was rejected (--strict). Nothing was published', [problem])
    this.rejected.push(problem)
    if (publishedClip) this.invalid.set(publishedClip.clipId, problem)
  }
}

/**
 * Yields the texts of each video, in the order of the first one. Only videos with several texts are
 * grouped, because nearly all of millions have one.
 */
function* groupByVideo(texts: readonly SoundText[]): Generator<SoundText[]> {
  const videos = new Set<string>()
  const repeatedVideos = new Set<string>()
  for (const { videoId } of texts) (videos.has(videoId) ? repeatedVideos : videos).add(videoId)
  const groups = Map.groupBy(
    texts.values().filter(({ videoId }) => repeatedVideos.has(videoId)),
    ({ videoId }) => videoId,
  )
  for (const text of texts) {
    const group = groups.get(text.videoId) ?? [text]
    if (group[0] === text) yield group
  }
}

/** Returns the clip to build of several for one video: the published one, or the first by path. */
function winnerOf(texts: readonly SoundText[], clipId: string, publishedClip: PublishedClip | null) {
  const sameClip = texts.filter((text) => text.clipId === clipId)
  return (
    sameClip.find(({ digest }) => digest === publishedClip?.sourceDigest) ??
    sameClip.find(({ file }) => file === publishedClip?.source) ??
    sameClip[0]
  )
}

function placeOf({ file, line }: SoundText): string {
  return line === 0 ? file : `${file}:${line}`
}
