import type { SourceCue } from '#corpus/source-clip.ts'
import type { Account } from '../account.ts'
import { Rejection } from '../rejection.ts'

/** How far a cue may extend past the end, in seconds: durations are rounded (contract 2). */
const slackS = 1

/**
 * Cuts the cues at the end of the video: those that begin after it are dropped, those that extend
 * more than 1 s past it end there.
 *
 * @throws {Rejection} more than a quarter of the cues are after the end: the metadata is of another
 *   video
 */
export function cutAtEnd(cues: readonly SourceCue[], durationS: number, account: Account): SourceCue[] {
  const inside = cues.filter((cue) => cue.tStart <= durationS)
  const gone = cues.length - inside.length
  if (gone * 4 > cues.length) {
    throw new Rejection(
      `${gone} of its ${cues.length} cues begin after the end of the video at ${durationS} s: the metadata is of another video`,
    )
  }
  account.drop('after the end of the video', gone)
  account.cuesOut -= gone
  return inside.map((cue) => {
    if (cue.tEnd <= durationS + slackS) return cue
    account.repair('end past the end of the video: cut')
    return cutCue(cue, durationS)
  })
}

function cutCue(cue: SourceCue, durationS: number): SourceCue {
  const words = cue.words?.map((word) => ({
    ...word,
    tStart: Math.min(word.tStart, durationS),
    tEnd: Math.min(word.tEnd, durationS),
  }))
  return { ...cue, tEnd: Math.max(durationS, cue.tStart), ...(words && { words }) }
}
