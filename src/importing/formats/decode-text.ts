import { analyse } from 'chardet'
import type { CueTally } from '../cue-tally.ts'
import { Rejection } from '../rejection.ts'

/**
 * The encodings other than Unicode that files of a language use, likeliest first. An unrestricted
 * detector sometimes takes a short Latin-1 text for Big5; the language, which the importer always
 * knows, prevents that.
 */
const legacy: Record<string, readonly string[]> = {
  ja: ['shift_jis', 'euc-jp', 'iso-2022-jp'],
  zh: ['gb18030', 'big5'],
  ko: ['euc-kr'],
  ru: ['windows-1251', 'koi8-r', 'iso-8859-5'],
  uk: ['windows-1251', 'koi8-r'],
  bg: ['windows-1251'],
  tr: ['windows-1254'],
  el: ['windows-1253'],
  he: ['windows-1255'],
  ar: ['windows-1256'],
  pl: ['windows-1250', 'iso-8859-2'],
  cs: ['windows-1250', 'iso-8859-2'],
  hu: ['windows-1250', 'iso-8859-2'],
}
const western = ['windows-1252']

/**
 * The ratio of invalid sequences to valid ones beyond ASCII up to which a file is UTF-8 with
 * faults, not another encoding.
 */
const faultyShare = 0.1

/**
 * Decodes a subtitle file, without its byte order mark: UTF-8, UTF-16 with or without mark, else
 * the legacy encoding of the language that chardet finds likeliest. Characters cut at either end of
 * the file, and single invalid bytes, are repaired and counted. Also returns the encoding, by its
 * WHATWG name (https://encoding.spec.whatwg.org/#names-and-labels).
 *
 * @param encoding the encoding that the user names; nothing is guessed then
 * @throws {Rejection} the bytes are not text, or not in the given encoding
 */
export function decodeText(
  bytes: Uint8Array,
  language: string,
  tally: CueTally,
  encoding?: string,
): { text: string; encoding: string } {
  if (encoding !== undefined) return decodeAs(bytes, encoding)
  const utf16 = utf16Of(bytes)
  if (utf16 !== null) return { text: new TextDecoder(utf16).decode(bytes), encoding: utf16 }
  const text = decodeUtf8(bytes) ?? mendUtf8(bytes, tally)
  if (text !== null) return { text: checked(text), encoding: 'utf-8' }
  return decodeLegacy(bytes, language)
}

/** The text of valid UTF-8, without its mark; else null. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  return tryDecode(bytes, 'utf-8', true)
}

function decodeAs(bytes: Uint8Array, encoding: string) {
  try {
    const decoder = new TextDecoder(encoding, { fatal: true })
    return { text: decoder.decode(bytes), encoding: decoder.encoding }
  } catch (error) {
    if (error instanceof RangeError) throw error
    throw new Rejection(`is not in the encoding "${encoding}"`)
  }
}

/**
 * Detects UTF-16 by its mark, or by the zero bytes that every second byte of mostly Latin text is.
 */
function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const sample = bytes.subarray(0, 4096)
  const zeros = [0, 0]
  for (const [i, byte] of sample.entries()) if (byte === 0) zeros[i % 2]!++
  const half = sample.length / 2
  if (zeros[1]! > half * 0.3 && zeros[0]! < half * 0.05) return 'utf-16le'
  if (zeros[0]! > half * 0.3 && zeros[1]! < half * 0.05) return 'utf-16be'
  return null
}

/**
 * Decodes UTF-8 that begins or ends inside a character, or has a few invalid bytes. null if most of
 * what is not ASCII is invalid.
 */
function mendUtf8(bytes: Uint8Array, tally: CueTally): string | null {
  const from = bytes.findIndex((byte) => byte < 0x80 || byte >= 0xc0)
  const inner = bytes.subarray(Math.min(Math.max(from, 0), 3))
  const decoder = new TextDecoder('utf-8')
  const text = decoder.decode(inner, { stream: true })
  const cutEnd = decoder.decode() === '' ? 0 : 1
  const original = text.match(/[^\p{ASCII}\ufffd]/gu)?.length ?? 0
  const faults = text.match(/\ufffd+/g)?.length ?? 0
  if (faults > original * faultyShare) return null
  tally.repair('truncated character: dropped', cutEnd + (inner.length < bytes.length ? 1 : 0))
  tally.repair('bytes that are not text: replaced', faults)
  return text
}

function decodeLegacy(bytes: Uint8Array, language: string) {
  const candidates = legacy[language] ?? western
  const found = analyse(bytes).map(({ name }) => name.toLowerCase())
  const ranked = [...found.map(whatwgName).filter((name) => candidates.includes(name)), ...candidates]
  for (const fatal of [true, false]) {
    for (const encoding of ranked) {
      const text = tryDecode(bytes, encoding, fatal)
      if (text !== null && (fatal || (text.match(/\ufffd/g)?.length ?? 0) < text.length / 100))
        return { text: checked(text), encoding }
    }
  }
  throw new Rejection(`is neither UTF-8 nor ${candidates.join(' nor ')}: name it with --encoding`)
}

/** ISO 8859-1 and GB 18030 under the names of the supersets that TextDecoder reads. */
function whatwgName(name: string): string {
  if (name === 'iso-8859-1') return 'windows-1252'
  if (name === 'iso-8859-9') return 'windows-1254'
  return name
}

function tryDecode(bytes: Uint8Array, encoding: string, fatal: boolean): string | null {
  try {
    return new TextDecoder(encoding, { fatal }).decode(bytes)
  } catch {
    return null
  }
}

/** Rejects what is no text at all: a picture, a film. */
function checked(text: string): string {
  if (text.includes('\u0000')) throw new Rejection('is not text: it contains zero bytes')
  return text
}
