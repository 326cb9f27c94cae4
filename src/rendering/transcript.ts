import type { Transcript } from '#contract/transcript.ts'
import { clipIdOf } from '#corpus/clip-id.ts'
import type { SourceClip } from '#corpus/source-clip.ts'
import type { TokenisedCue } from '#indexing/index-clip.ts'
import { roundTime } from '#kit/round.ts'

/** The transcript of a clip; `wordIds` by cue and token, as indexed on this day. */
export function renderTranscript(
  source: SourceClip,
  cues: readonly TokenisedCue[],
  wordIds: readonly number[][][],
): Transcript {
  return {
    clipId: clipIdOf(source),
    videoId: source.videoId,
    language: source.language,
    durationS: source.durationS,
    wordTiming: source.cues.every((cue) => cue.words && cue.words.length > 0) ? 'measured' : 'interpolated',
    cues: cues.map((cue, c) => ({
      tStart: roundTime(cue.tStart),
      tEnd: roundTime(cue.tEnd),
      text: cue.text,
      words: cue.tokens.map(({ text, tStart, tEnd }, t) => {
        const ids = wordIds[c]![t]!
        return { text, tStart, tEnd, ...(ids.length > 0 ? { wordIds: ids } : {}) }
      }),
    })),
  }
}
