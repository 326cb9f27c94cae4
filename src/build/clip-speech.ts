import { searchFold } from '#language/search-fold.ts'
import { packSpeech, type PackedSpeech } from '#release/sentences/speech.ts'
import type { TokenisedCue } from '#indexing/tokenise.ts'
import { sentenceStarts } from '#indexing/sentence-starts.ts'

const cueOpening = Buffer.from('{"tStart":')

/**
 * What sentence search needs of a clip: its tokens as they are searched for, and where the cues
 * stand in `transcript`, its published file.
 */
export function clipSpeech(
  cues: readonly TokenisedCue[],
  language: string,
  transcript: Buffer,
): PackedSpeech {
  const openings = cueOpenings(transcript)
  if (openings.length !== cues.length)
    throw new RangeError(
      `cannot index a transcript: it must have ${cues.length} cues, it has ${openings.length}`,
    )
  // The file ends with `]}`, and a comma stands between two cues.
  const ends = [...openings.slice(1).map((at) => at - 1), transcript.length - 2]
  const tokens = cues.flatMap((cue) => cue.tokens)
  const speech = {
    isInTimeOrder: tokens.every(({ tStart }, i) => i === 0 || tokens[i - 1]!.tStart <= tStart),
    firstCueAt: openings[0] ?? 0,
    cues: cues.map((cue, i) => ({
      sizeBytes: ends[i]! - openings[i]!,
      tokenCount: cue.tokens.length,
    })),
    sentenceStarts: sentenceStarts(cues, language),
  }
  return packSpeech(
    speech,
    tokens.map(({ text }) => searchFold(text, language)),
  )
}

/**
 * Where the cues begin. Nothing else begins like this: words begin with their text, and quotes
 * inside a text are escaped.
 */
function cueOpenings(transcript: Buffer): number[] {
  const openings: number[] = []
  for (let at = transcript.indexOf(cueOpening); at >= 0; at = transcript.indexOf(cueOpening, at + 1))
    openings.push(at)
  return openings
}
