import type { Spelling } from '#indexing/lexicon.ts'
import { sentenceStarts } from '#indexing/sentence-starts.ts'
import type { TokenisedCue } from '#indexing/tokenise.ts'
import { packSpeech, type PackedSpeech } from '#release/sentences/speech.ts'

const cueOpening = '{"tStart":'

/**
 * What sentence search needs of a clip: its tokens as they are searched for, and where the cues
 * stand in `transcript`, its published file. `spellings` are by cue and token.
 */
export function clipSpeech(
  cues: readonly TokenisedCue[],
  spellings: readonly Spelling[][],
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
  const speech = {
    isInTimeOrder: isInTimeOrder(cues),
    firstCueAt: openings[0] ?? 0,
    cues: cues.map((cue, i) => ({
      sizeBytes: ends[i]! - openings[i]!,
      tokenCount: cue.tokens.length,
    })),
    sentenceStarts: sentenceStarts(cues, spellings, language),
  }
  return packSpeech(
    speech,
    spellings.flatMap((ofCue) => ofCue.map(({ folded }) => folded)),
  )
}

function isInTimeOrder(cues: readonly TokenisedCue[]): boolean {
  let before = -Infinity
  for (const { tokens } of cues) {
    for (const { tStart } of tokens) {
      if (tStart < before) return false
      before = tStart
    }
  }
  return true
}

/**
 * Where the cues begin. Nothing else begins like this: words begin with their text, and quotes
 * inside a text are escaped.
 */
function cueOpenings(transcript: Buffer): number[] {
  const openings: number[] = []
  // One character per byte: a string is searched faster than a buffer.
  const text = transcript.toString('latin1')
  for (let at = text.indexOf(cueOpening); at >= 0; at = text.indexOf(cueOpening, at + 1)) openings.push(at)
  return openings
}
