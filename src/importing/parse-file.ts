import type { ParsedSubtitles } from './cue.ts'
import { decodeUtf8 } from './decode-utf8.ts'
import { detectFormat } from './detect-format.ts'
import { parseSubtitles } from './parse-subtitles.ts'
import { parseWordTimings } from './parse-word-timings.ts'
import { Rejection } from './rejection.ts'

/**
 * The cues of a subtitle file of any format that is known.
 *
 * @throws {Rejection} no UTF-8, no known format, a fault inside it, or nothing said in it
 */
export function parseFile(bytes: Uint8Array): ParsedSubtitles {
  const text = decodeUtf8(bytes)
  const format = detectFormat(text)
  const parsed = format === 'words' ? parseWordTimings(text) : parseSubtitles(text, format)
  if (parsed.cues.length === 0) throw new Rejection('holds no cue with text')
  return parsed
}
