import type { SourceCue } from '#corpus/source-clip.ts'
import { maxTextCharacters, textFault } from '#corpus/text-bounds.ts'
import type { CueTally } from '../cue-tally.ts'
import { Rejection, Skip } from '../rejection.ts'
import { foldBlanks } from './clean-text.ts'
import type { ParsedFile, RawCue } from './cue.ts'
import { decodeText } from './decode-text.ts'
import { detectFormat, type Detected } from './detect-format.ts'
import { blankNoise, findSpeakers } from './noise.ts'
import { isInOtherScript, leaveOutOtherLanguage } from './other-language.ts'
import { parseJson3, parseWhisper, parseWordTimings } from './parse-json.ts'
import { parseSubtitles } from './parse-subtitles.ts'
import { parseTimedLines } from './parse-timed-lines.ts'
import { parseXml } from './parse-xml.ts'
import { repairTimes, type TimedCue } from './repair-times.ts'
import { unroll } from './rolling-captions.ts'
import { timeWords } from './time-words.ts'

/** A subtitle file as cues of a clip, how it was read, and what it says about its video. */
export type ReadFile = ReturnType<typeof parseFile>

/**
 * The cues of a subtitle file of any known format, which is detected from its content.
 *
 * @param tally counts what is dropped and repaired
 * @param encoding the encoding that the user names; else it is detected
 * @throws {Rejection} no text, no known format, or nothing said in it
 * @throws {Skip} it is not speech: metadata, chapters
 */
export function parseFile(bytes: Uint8Array, language: string, tally: CueTally, encoding?: string) {
  const decoded = decodeText(bytes, language, tally, encoding)
  const detected = detectFormat(decoded.text)
  const parsed = parse(decoded.text, detected, language, tally)
  if (parsed.track !== undefined) throw new Skip(`is a track of ${parsed.track}, not of speech`)
  if (isInOtherScript(parsed.cues, language)) {
    tally.cuesIn = parsed.cues.length
    throw new Rejection(`is not in "${language}": hardly any letter is in its script`)
  }
  const cues = prepareCues(parsed.cues, language, tally)
  if (cues.length === 0) throw new Rejection(nothingLeft(tally))
  const { metadata = {} } = parsed
  return { cues, format: detected.format, encoding: decoded.encoding, metadata }
}

function parse(text: string, { format, json }: Detected, language: string, tally: CueTally): ParsedFile {
  switch (format) {
    case 'vtt':
    case 'srt':
      return parseSubtitles(text, format)
    case 'sbv':
    case 'starts':
    case 'stc':
    case 'tsv':
      return parseTimedLines(text, format)
    case 'timedtext':
    case 'ttml':
    case 'realtext':
      return parseXml(text, format)
    case 'json3':
      return parseJson3(json)
    case 'whisper':
    case 'whisper.cpp':
      return parseWhisper(json, tally)
    case 'words':
    case 'word-objects':
      return parseWordTimings(json, language, tally)
    case 'metadata':
      throw new Skip('describes a video and has no subtitles')
  }
}

function nothingLeft({ cuesIn, dropped }: CueTally): string {
  if (cuesIn === 0) return 'holds no cue'
  const reasons = Object.entries(dropped).map(([reason, count]) => `${count} × ${reason}`)
  return `has no usable cue: ${reasons.join(', ')}`
}

/** A cue, and its text with what is not said blanked, in the same length. */
type ShownCue = RawCue & { shown: string }

/**
 * Turns what a parser found into cues of a clip: drops repetitions, lines in another language and
 * what is not said, repairs times, and times words. Every cue comes out or is in the tally with
 * its reason.
 */
export function prepareCues(found: readonly RawCue[], language: string, tally: CueTally): SourceCue[] {
  tally.cuesIn += found.length
  const usable = found.filter((cue) => {
    const reason = cue.fault ?? faultOf(cue.text)
    if (reason !== null) tally.drop(reason)
    return reason === null
  })
  const said = leaveOutOtherLanguage(unroll(usable, tally), language, tally)
  const timed = repairTimes(dropNoise(said, tally), tally) as (TimedCue & ShownCue)[]
  const cues = timed.map(({ tStart, tEnd, text, shown, anchors }): SourceCue => {
    const words = anchors && timeWords({ tStart, tEnd, text, anchors }, shown, language, tally)
    return { tStart, tEnd, text: foldBlanks(shown), ...(words && { words }) }
  })
  tally.cuesOut += cues.length
  return cues
}

function faultOf(text: string): string | null {
  if (text.trim() === '') return 'no text'
  if (text.length > maxTextCharacters) return 'longer than 10,000 characters'
  return textFault(text) === null ? null : 'unprintable characters: dropped'
}

function dropNoise(cues: readonly RawCue[], tally: CueTally): ShownCue[] {
  const speakers = findSpeakers(cues.map((cue) => cue.text))
  return cues.flatMap((cue) => {
    const shown = blankNoise(cue.text, speakers)
    if (/[\p{L}\p{N}]/u.test(shown)) return [{ ...cue, shown }]
    tally.drop('not speech')
    return []
  })
}
