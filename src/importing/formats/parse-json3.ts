import { plainText } from './clean-text.ts'
import { countLetters, secondsOf, untimed, type Anchor, type ParsedFile, type RawCue } from './cue.ts'
import { isObject } from './detect-format.ts'

/**
 * Parses YouTube's json3 (`fmt=json3`): events of segments, in milliseconds. Automatic captions
 * give each word an offset. Events without segments set up windows and are no cues.
 */
export function parseJson3(json: unknown): ParsedFile {
  const { events } = json as { events: unknown[] }
  const cues = events.filter(isObject).flatMap(({ tStartMs, dDurationMs, segs }) => {
    if (!Array.isArray(segs)) return []
    const pieces = segs.filter(isObject).map(({ utf8, tOffsetMs }) => ({
      text: typeof utf8 === 'string' ? utf8 : '',
      offsetMs: tOffsetMs,
    }))
    return [timedPieces(tStartMs, dDurationMs, pieces)]
  })
  return { cues }
}

/**
 * A cue of pieces that start at offsets from its own start, all in milliseconds. json3 and srv3
 * differ only in names. The first piece of automatic captions has no offset.
 */
export function timedPieces(
  startMs: unknown,
  durationMs: unknown,
  pieces: readonly { text: string; offsetMs: unknown }[],
): RawCue {
  const tStart = secondsOf(startMs, 1000)
  const after = (ms: unknown) =>
    secondsOf(ms) === null ? null : secondsOf(Number(startMs) + Number(ms), 1000)
  let text = ''
  let letters = 0
  const anchors: Anchor[] = []
  for (const piece of pieces) {
    const plain = plainText(piece.text)
    const time = after(piece.offsetMs)
    if (time !== null) anchors.push({ letters, time })
    text += plain
    letters += countLetters(plain)
  }
  if (tStart === null) return untimed(text)
  return { tStart, tEnd: after(durationMs), text, ...(anchors.length > 0 ? { anchors } : {}) }
}
