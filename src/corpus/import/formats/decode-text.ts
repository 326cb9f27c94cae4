import { analyse } from 'chardet'
import { readDataLines } from '#language/analysers/data-file.ts'
import type { CueTally } from '../cue-tally.ts'
import { Rejection } from '../rejection.ts'

/**
 * The encodings other than Unicode that files of a language use, likeliest first. An unrestricted
 * detector sometimes takes a short Latin-1 text for Big5; the language, which the importer always
 * knows, prevents that.
 */
const legacy = new Map(
  readDataLines('legacy-encodings.txt', import.meta.dirname).map((line) => {
    const [language, ...encodings] = line.split(' ')
    return [language, encodings]
  }),
)

/** What TextDecoder calls the supersets of encodings that chardet names. */
const whatwgNames: Record<string, string> = { 'ISO-8859-1': 'windows-1252', 'ISO-8859-9': 'windows-1254' }

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
 * @param given the encoding that the user names; nothing is guessed then
 * @throws {Rejection} the bytes are not text, or not in the given encoding
 */
export function decodeText(bytes: Uint8Array, language: string, tally: CueTally, given?: string) {
  if (given !== undefined) {
    const text = decode(bytes, given, true)
    if (text === null) throw new Rejection(`is not in the encoding "${given}"`)
    return { text, encoding: given }
  }
  const utf16 = utf16Of(bytes)
  const unicode = utf16 ? decode(bytes, utf16, false) : (decodeUtf8(bytes) ?? mendUtf8(bytes, tally))
  const decoded =
    unicode === null ? decodeLegacy(bytes, language) : { text: unicode, encoding: utf16 ?? 'utf-8' }
  // A picture, a film.
  if (decoded.text.includes('\u0000')) throw new Rejection('is not text: it contains zero bytes')
  return decoded
}

/** The text of valid UTF-8, without its mark; else null. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  return decode(bytes, 'utf-8', true)
}

function decode(bytes: Uint8Array, encoding: string, fatal: boolean): string | null {
  try {
    return new TextDecoder(encoding, { fatal }).decode(bytes)
  } catch {
    return null
  }
}

/**
 * Detects UTF-16 by its mark, or by the zero bytes that every second byte of mostly Latin text is.
 */
function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const sample = bytes.subarray(0, 4096)
  const [even, odd] = [0, 1].map((parity) => {
    const zeros = sample.filter((byte, i) => byte === 0 && i % 2 === parity)
    return (2 * zeros.length) / sample.length
  })
  if (odd! > 0.3 && even! < 0.05) return 'utf-16le'
  return even! > 0.3 && odd! < 0.05 ? 'utf-16be' : null
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

/** Takes the encoding in which hardly any byte is invalid; of several, the likeliest. */
function decodeLegacy(bytes: Uint8Array, language: string) {
  const candidates = legacy.get(language) ?? ['windows-1252']
  const found = analyse(bytes).map(({ name }) => whatwgNames[name] ?? name.toLowerCase())
  const ranked = [...found.filter((name) => candidates.includes(name)), ...candidates]
  const decoded = ranked.map((encoding) => {
    const text = decode(bytes, encoding, false)!
    return { text, encoding, faults: text.match(/\ufffd/g)?.length ?? 0 }
  })
  const { faults, ...best } = decoded.toSorted((a, b) => a.faults - b.faults)[0]!
  if (faults > best.text.length / 100)
    throw new Rejection(`is neither UTF-8 nor ${candidates.join(' nor ')}: name it with --encoding`)
  return best
}
