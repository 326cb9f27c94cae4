import type { Transcript } from '#contract/transcript.ts'
import { clipIdOf, type SourceClip } from '#corpus/source-clip.ts'
import type { TokenisedCue } from '#indexing/tokenise.ts'
import { roundTime } from '#kit/round.ts'

/**
 * The transcript of a clip, its fields in the order of the contract. `wordIds` are by cue and
 * token.
 */
export function renderTranscript(
  source: SourceClip,
  cues: readonly TokenisedCue[],
  wordIds: readonly number[][][],
): Transcript {
  const { videoId, language, durationS } = source
  const isMeasured = source.cues.every((cue) => cue.words && cue.words.length > 0)
  return {
    clipId: clipIdOf(source),
    videoId,
    language,
    durationS,
    wordTiming: isMeasured ? 'measured' : 'interpolated',
    cues: cues.map(({ tStart, tEnd, text, tokens }, c) => ({
      tStart: roundTime(tStart),
      tEnd: roundTime(tEnd),
      text,
      words: tokens.map((token, t) => {
        const ids = wordIds[c]![t]!
        const word = { text: token.text, tStart: token.tStart, tEnd: token.tEnd }
        return ids.length > 0 ? { ...word, wordIds: ids } : word
      }),
    })),
  }
}
