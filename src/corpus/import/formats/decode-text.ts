import { analyse } from 'chardet'
import iconv from 'iconv-lite'
import { readDataRows } from '#language/analysers/data-file.ts'
import type { CueTally } from '../cue-tally.ts'
import { Rejection } from '../rejection.ts'

/** The way in which a language was encoded before Unicode. */
interface Legacy {
  /** The lower-case letters beyond ASCII in the language; empty if the bytes alone are clearer. */
  letters: ReadonlySet<string>
  /** The likeliest first. */
  encodings: string[]
}

const western: Legacy = { letters: new Set(), encodings: ['windows-1252'] }
/**
 * Keyed by language. An unrestricted detector sometimes takes a short Latin-1 text for Big5; the
 * language, which the importer always knows, prevents that.
 */
const legacy = new Map<string, Legacy>(
  readDataRows('legacy-encodings.txt', import.meta.dirname).map(([language, letters, ...encodings]) => [
    language,
    { letters: new Set(letters === '-' ? '' : letters), encodings },
  ]),
)

/**
 * The maximum ratio of invalid to valid sequences beyond ASCII in a UTF-8 file with faults. In
 * other encodings hardly any sequence is valid.
 */
const faultyShare = 1 / 3

/**
 * Decodes a subtitle file, without its byte order mark: UTF-8, UTF-16 with or without mark, or the
 * legacy encoding whose text looks most like the language. UTF-8 that was split inside a character
 * is repaired, and single invalid bytes are replaced; both are counted. Also returns the encoding,
 * by its WHATWG name (https://encoding.spec.whatwg.org/#names-and-labels), or cp850.
 *
 * @param encodingName the encoding that the user names, instead of detecting one
 * @throws {Rejection} the bytes are not text, or not in the given encoding
 */
export function decodeText(bytes: Uint8Array, language: string, tally: CueTally, encodingName?: string) {
  if (encodingName !== undefined) {
    const text = decode(bytes, encodingName, true)
    if (text === null) throw new Rejection(`is not in the encoding "${encodingName}"`)
    return { text, encoding: encodingName }
  }
  // Its bytes are ASCII, so it would also be valid UTF-8.
  if (language === 'ja' && bytes.includes(0x1b) && Buffer.from(bytes).includes('\x1b$'))
    return { text: decode(bytes, 'iso-2022-jp', false)!, encoding: 'iso-2022-jp' }
  const utf16 = utf16Of(bytes)
  const unicode = utf16 ? decode(bytes, utf16, false) : (decodeUtf8(bytes) ?? repairUtf8(bytes, tally))
  const result =
    unicode === null
      ? decodeLegacy(bytes, language, tally)
      : { text: decodeTwice(unicode, tally), encoding: utf16 ?? 'utf-8' }
  return { ...result, text: withoutNuls(result.text, tally) }
}

const controlCharacter = /(?!\s)\p{Cc}/gu
/**
 * A text with NULs and more control characters, a few and a share of its characters, is a picture
 * or a film. In compressed data, one byte in 256 is NUL, and one in 9 a control character.
 */
const maxControls = { count: 2, share: 1 / 100 }

/** Drops the NULs at the end, which a program that crashed leaves, and a few within the text. */
function withoutNuls(text: string, tally: CueTally): string {
  if (!text.includes('\0')) return text
  // Each run is tried once, from its start.
  const content = text.replace(/(?<!\0)\0+$/, '')
  const cleanText = content.replaceAll('\0', '')
  const controlCount = content.match(controlCharacter)?.length ?? 0
  if (cleanText === '' || controlCount > maxControls.count + content.length * maxControls.share)
    throw new Rejection('is not a text file, because it contains NUL characters')
  tally.repair('NUL character: dropped', text.length - cleanText.length)
  return cleanText
}

/** Returns the text of valid UTF-8, without its byte order mark; otherwise null. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  return decode(bytes, 'utf-8', true)
}

/** A DOS code page that the WHATWG standard lacks: all but 866 and 874. */
const codePage = /^(?:cp|ibm)[-_ ]?(437|7\d\d|8(?!66|74)\d\d|1125)$/i

/**
 * Returns the usual name of an encoding that can be decoded: WHATWG's, or that of a DOS code page
 * (cp850).
 *
 * @throws {RangeError} there is no such encoding
 */
export function encodingOf(name: string): string {
  const number = codePage.exec(name)?.[1]
  const isDos = number !== undefined && iconv.encodingExists(`cp${number}`)
  return isDos ? `cp${number}` : new TextDecoder(name).encoding
}

function decode(bytes: Uint8Array, encoding: string, fatal: boolean): string | null {
  if (codePage.test(encoding)) return iconv.decode(Buffer.from(bytes), encoding)
  try {
    return new TextDecoder(encoding, { fatal }).decode(bytes)
  } catch {
    return null
  }
}

/** Detects UTF-16 by its byte order mark, or by the zero bytes of digits and Latin letters. */
function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const sample = bytes.subarray(0, 4096)
  const [even, odd] = [0, 1].map((parity) => {
    const zeros = sample.filter((byte, i) => byte === 0 && i % 2 === parity)
    return (2 * zeros.length) / sample.length
  })
  if (odd! > 0.15 && even! < 0.05) return 'utf-16le'
  return even! > 0.15 && odd! < 0.05 ? 'utf-16be' : null
}

/** A character of UTF-8 whose bytes were read as windows-1252: Ã©. */
const misread = /[Â-ô][\u0080-¿ŒœŠšŸŽžƒˆ˜–—‘’‚“”„†‡•…‰‹›€™]{1,3}/gu

/**
 * Restores UTF-8 that a program read as windows-1252 and wrote as UTF-8 again ("cafÃ©"), if every
 * character beyond ASCII is a part of such a character, and there are several.
 */
function decodeTwice(text: string, tally: CueTally): string {
  const characters = text.match(misread) ?? []
  if (characters.length < 2 || /[^\p{ASCII}]/u.test(text.replace(misread, ''))) return text
  if (characters.some((each) => decodeMisread(each) === null)) return text
  tally.repair('character read in another encoding: decoded', characters.length)
  return text.replace(misread, (each) => decodeMisread(each)!)
}

function decodeMisread(characters: string): string | null {
  const bytes = Array.from(characters, (character) =>
    character <= 'ÿ' ? character.charCodeAt(0) : iconv.encode(character, 'windows-1252')[0]!,
  )
  return decode(Uint8Array.from(bytes), 'utf-8', true)
}

/**
 * Decodes UTF-8 that starts or ends inside a character, or has split characters or a few invalid
 * bytes. Returns null if much of what is not ASCII is invalid.
 */
function repairUtf8(bytes: Uint8Array, tally: CueTally): string | null {
  const from = bytes.findIndex((byte) => byte < 0x80 || byte >= 0xc0)
  const inner = bytes.subarray(Math.min(Math.max(from, 0), 3))
  const { joinedBytes, count } = joinSplitCharacters(inner)
  const decoder = new TextDecoder('utf-8')
  const text = decoder.decode(joinedBytes, { stream: true })
  const cutEnd = decoder.decode() === '' ? 0 : 1
  const valid = text.match(/[^\p{ASCII}\ufffd]/gu)?.length ?? 0
  const faults = text.match(/\ufffd+/g)?.length ?? 0
  if (faults > (valid - count) * faultyShare) return null
  tally.repair('character split in two: joined', count)
  tally.repair('truncated character: dropped', cutEnd + (inner.length < bytes.length ? 1 : 0))
  tally.repair('bytes that are not text: replaced', faults)
  return text
}

/** Far longer than the times of a cue, or the JSON between two tokens. */
const maxApart = 300

/**
 * Joins characters whose bytes a program divided between two cues or tokens, with only ASCII
 * between: the whole character is put where it starts.
 */
function joinSplitCharacters(bytes: Uint8Array): { joinedBytes: Uint8Array; count: number } {
  const joinedBytes = Uint8Array.from(bytes)
  let count = 0
  for (let i = 0; i < joinedBytes.length; i++) {
    const missing = missingBytes(joinedBytes, i)
    if (missing === 0) continue
    let at = i + 1
    while (isContinuation(joinedBytes[at])) at++
    let next = at
    while (next < at + maxApart && joinedBytes[next]! < 0x80) next++
    let end = next
    while (isContinuation(joinedBytes[end])) end++
    if (next === at || end === next || end - next > missing) continue
    // Puts the later bytes before the ASCII text in between.
    const later = joinedBytes.slice(next, end)
    joinedBytes.copyWithin(at + later.length, at, next)
    joinedBytes.set(later, at)
    if (later.length === missing) count++
    else i--
  }
  return { joinedBytes, count }
}

/** Returns how many bytes the character that starts here lacks; 0 if none starts here. */
function missingBytes(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!
  if (lead < 0xc2 || lead > 0xf4) return 0
  const followers = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3
  let present = 0
  while (present < followers && isContinuation(bytes[at + 1 + present])) present++
  return followers - present
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x80 && byte < 0xc0
}

/**
 * The largest number by which foreign letters, such as those of names, may exceed the letters of a
 * text's language. With more of them, the encoding must be another one.
 */
const maxStrange = 5

/** Chooses the encoding whose text looks most like the language, the likeliest of several. */
function decodeLegacy(bytes: Uint8Array, language: string, tally: CueTally) {
  const { letters, encodings } = legacy.get(language) ?? western
  const guesses = letters.size > 0 ? [] : analyse(bytes).map(({ name }) => name.toLowerCase())
  const candidates = [...guesses.filter((name) => encodings.includes(name)), ...encodings]
  const texts = candidates.map((encoding) => {
    const text = decode(bytes, encoding, false)!
    const faults = text.match(/\ufffd/g)?.length ?? 0
    return { text, encoding, faults, score: letters.size > 0 ? scoreText(text, letters) : 0 }
  })
  const { faults, score, ...best } = texts.toSorted((a, b) => b.score - a.score || a.faults - b.faults)[0]!
  if (faults > best.text.length / 100 || score < -maxStrange)
    throw new Rejection(
      `does not look like text in "${language}" in any of the encodings UTF-8, ${encodings.join(', ')}. Set the encoding with --encoding`,
    )
  return { ...best, text: withUtf8Lines(bytes, best, letters, tally) }
}

const ascii = /^\p{ASCII}*$/u

/**
 * Returns the text of a file whose lines are in two encodings, because a program appended to it: of
 * those beyond ASCII, some are valid UTF-8, and look more like the language in it. In a single-byte
 * encoding, few lines are valid UTF-8, such as Russian "Я…".
 */
function withUtf8Lines(
  bytes: Uint8Array,
  { text, encoding }: { text: string; encoding: string },
  letters: Legacy['letters'],
  tally: CueTally,
): string {
  if (!encoding.startsWith('windows-125')) return text
  const lines = Buffer.from(bytes)
    .toString('latin1')
    .split('\n')
    .map((line) => {
      const lineBytes = Buffer.from(line, 'latin1')
      const utf8 = ascii.test(line) ? null : decodeUtf8(lineBytes)
      return { utf8, legacy: decode(lineBytes, encoding, false)! }
    })
  const utf8Lines = lines.filter(({ utf8 }) => utf8 !== null)
  const scoreOf = (texts: string[]) => scoreText(texts.join('\n'), letters)
  if (scoreOf(utf8Lines.map(({ utf8 }) => utf8!)) <= scoreOf(utf8Lines.map((line) => line.legacy)))
    return text
  tally.repair('line in UTF-8 among others: decoded', utf8Lines.length)
  return lines.map(({ utf8, legacy }) => utf8 ?? legacy).join('\n')
}

/** A sequence that no encoding of a language produces: a letter next to one of another script. */
const mixedScripts = /[a-z][^\p{ASCII}\p{Script=Latin}\P{L}]|[^\p{ASCII}\p{Script=Latin}\P{L}][a-z]/giu
/** Marks that subtitles in any language contain. */
const usualMarks = /[\s\u00a0«»‹›„“”‚‘’–—…•°§·¿¡€£©®™♪♫\p{M}\u200c-\u200f]/u

/** Marks that never occur inside a word. */
const markInWord = /\p{L}[«»‹›„“”‚•°§¿¡€£©®™˘˛˙](?=\p{L})/gu

/**
 * Scores how much a text looks like a language. Each character beyond ASCII adds a point if it is a
 * letter of the language, and subtracts one if it is not, is a capital inside a word, or is next to
 * a letter of another script.
 */
function scoreText(text: string, letters: ReadonlySet<string>): number {
  let score = 0
  for (const character of text.match(/[^\p{ASCII}]/gu) ?? []) {
    if (letters.has(character) || letters.has(character.toLowerCase())) score++
    else if (!usualMarks.test(character)) score--
  }
  const strange = [
    ...text.matchAll(mixedScripts),
    ...text.matchAll(markInWord),
    ...text.matchAll(/\p{Ll}\p{M}?[^\P{Lu}\p{ASCII}]/gu),
  ]
  return score - strange.length
}
