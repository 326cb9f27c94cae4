import type { CueTally } from '../cue-tally.ts'
import type { ParsedFile } from './cue.ts'
import { decodeText } from './decode-text.ts'
import { detectFormat, type Detected } from './detect-format.ts'
import type { Metadata } from '../video/metadata.ts'
import { isInOtherScript } from './other-language.ts'
import { parseJson3, parseWhisper, parseWordTimings } from './parse-json.ts'
import { parseSubtitles } from './parse-subtitles.ts'
import { parseTimedLines } from './parse-timed-lines.ts'
import { parseXml } from './parse-xml.ts'
import { prepareCues } from './prepare-cues.ts'
import { Rejection, Skip } from '../rejection.ts'

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
  const metadata: Metadata = parsed.metadata ?? {}
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
