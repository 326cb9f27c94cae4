import type { SourceClip, SourceCue } from './source-clip.ts'

/** How far a cue may reach past the clip, in seconds. */
const slackS = 1

/** What is wrong with the times of a clip (contract 2): the first fault with its field, or null. */
export function checkTimes(clip: SourceClip): { field: string; reason: string } | null {
  for (const [i, cue] of clip.cues.entries()) {
    const fault = checkCue(clip, i, cue)
    if (fault) return fault
  }
  return null
}

function checkCue(clip: SourceClip, i: number, cue: SourceCue): { field: string; reason: string } | null {
  const before = clip.cues[i - 1]
  if (cue.tEnd < cue.tStart) {
    return { field: `cues[${i}].tEnd`, reason: `ends at ${cue.tEnd} s, before its start at ${cue.tStart} s` }
  }
  if (before && cue.tStart < before.tStart) {
    return {
      field: `cues[${i}].tStart`,
      reason: `starts at ${cue.tStart} s, before the cue before it (${before.tStart} s)`,
    }
  }
  if (cue.tEnd > clip.durationS + slackS) {
    return {
      field: `cues[${i}].tEnd`,
      reason: `ends at ${cue.tEnd} s, more than ${slackS} s past the clip of ${clip.durationS} s`,
    }
  }
  const w = (cue.words ?? []).findIndex((word) => word.tEnd < word.tStart)
  if (w >= 0) {
    const word = cue.words![w]!
    return {
      field: `cues[${i}].words[${w}].tEnd`,
      reason: `ends at ${word.tEnd} s, before its start at ${word.tStart} s`,
    }
  }
  return null
}
