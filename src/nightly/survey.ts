import type { Problem } from '#corpus/problem.ts'
import type { PublishedClip, State } from '#tree/state.ts'
import { BuildStopped } from './build-stopped.ts'
import type { Source } from './read-source.ts'
import type { SoundText } from './source-text.ts'

/** The accepted texts of the source, and the faults of the others. */
export interface Survey {
  /** Ordered by file and line, each with the published data of its clip. */
  acceptedTexts: { text: SoundText; publishedClip: PublishedClip | null }[]
  rejected: Problem[]
  /**
   * The published clips whose source is rejected, with the fault, keyed by clip id. They are
   * invalid, not removed.
   */
  invalid: Map<string, Problem>
}

/**
 * Decides which texts of the source are rejected: those that are invalid by themselves, and those
 * that conflict with others or with published clips.
 *
 * @throws {BuildStopped} with `strict`, if one is rejected
 */
export function surveySource({ sound, faulty }: Source, state: State, strict: boolean): Survey {
  const survey: Survey = { acceptedTexts: [], rejected: [], invalid: new Map() }
  // A fault without a line belongs to an empty file or one with a single clip. It is reported at
  // line 1.
  const reject = (
    { line, file, ...rest }: Problem & { line: number },
    publishedClip: PublishedClip | null,
  ) => {
    const problem = { file, line: Math.max(1, line), ...rest }
    if (strict)
      throw new BuildStopped('a source clip was rejected (--strict). Nothing was published', [problem])
    survey.rejected.push(problem)
    if (publishedClip) survey.invalid.set(publishedClip.clipId, problem)
  }
  for (const { videoId, ...fault } of faulty)
    reject(
      fault,
      videoId === undefined ? state.publishedFrom(fault.file) : state.publishedClip(videoId, 'videoId'),
    )
  /** The video of the accepted text, keyed by clip id. */
  const videos = new Map<string, string>()
  for (const texts of groupByVideo(sound)) {
    const { videoId } = texts[0]!
    const publishedClip = state.publishedClip(videoId, 'videoId')
    const clipId = publishedClip?.clipId ?? texts[0]!.clipId
    const winner = winnerOf(texts, clipId, publishedClip)
    for (const { file, line, ...text } of texts.filter((each) => each !== winner)) {
      const video = `video "${videoId}"`
      if (text.clipId !== clipId)
        reject(
          {
            file,
            line,
            field: 'clipId',
            reason: `differs from ${clipId}, under which ${video} is published`,
          },
          publishedClip,
        )
      else {
        const reason = `names ${video}, which already has a clip in ${placeOf(winner!)}`
        reject({ file, line, field: 'videoId', reason }, null)
      }
    }
    if (!winner) continue
    const other = publishedClip ? null : state.publishedClip(clipId)
    const owner = videos.get(clipId) ?? other?.videoId ?? videoId
    if (owner === videoId) {
      videos.set(clipId, videoId)
      survey.acceptedTexts.push({ text: winner, publishedClip: publishedClip })
    } else {
      const { file, line } = winner
      const reason = `is already the id of the clip of video "${owner}"`
      reject({ file, line, field: 'clipId', reason }, state.publishedClip(clipId))
    }
  }
  return survey
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
