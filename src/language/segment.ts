import { plainApostrophes } from './lower-case.ts'
import { stripPunctuation } from './match-key.ts'
import { splitToken } from './split-token.ts'

/** A token of a text, as spoken, with its position in UTF-16 units. */
export interface PlacedText {
  text: string
  start: number
}

const hyphen = /^[-‐‑]$/u
const letterOrDigit = /[\p{L}\p{N}]/u

/**
 * Splits a text into tokens by the word boundaries of the language (UAX #29 through
 * Intl.Segmenter). Parts joined by one hyphen are one token, because a hyphenated word is a
 * separate word. An elided word is also a token: l'homme has two, and so has late.They, in which a
 * space is missing. Text without a letter or digit is left out.
 *
 *     segment('Well, a well-known', 'en').map(({ text }) => text) // ['Well', 'a', 'well-known']
 */
export function segment(text: string, language: string): PlacedText[] {
  const plain = plainApostrophes(text)
  const tokens = plainText.test(plain) ? segmentPlain(plain) : segmentAny(plain, language)
  return tokens
    .flatMap((token) => partsOf(token, language))
    .map(({ text: { length }, start }) => ({ text: text.slice(start, start + length), start }))
}

function partsOf({ text, start }: PlacedText, language: string): PlacedText[] {
  let end = start
  return splitToken(text, language).map((part) => {
    end += part.length
    return { text: part.replace(/[.:]$/, ''), start: end - part.length }
  })
}

const letter = 'A-Za-zÀ-ÖØ-öø-ɏ'
const joins = [
  `(?<=[${letter}])['’.](?=[${letter}])`,
  `(?<=[0-9])['’.,;](?=[0-9])`,
  `[-‐‑](?=[${letter}0-9])`,
].join('|')
/**
 * Matches a text of characters whose word boundaries are the same in every language. `:` and `_`
 * are not among them.
 */
const plainText = new RegExp(`^[${letter}0-9\\n !"#$%&'()*+,./;<=>?@[\\\\\\]^\`{|}~¡«»¿‐‑–—’“”…♪-]*$`)
const plainToken = new RegExp(`[${letter}0-9]+(?:(?:${joins})[${letter}0-9]+)*`, 'g')

/** Takes a quarter of the segmenter's time, which also creates an object for every space. */
function segmentPlain(text: string): PlacedText[] {
  let end = 0
  return (text.match(plainToken) ?? []).map((token) => {
    // Only other characters are between tokens, so a token is at the next occurrence of its text.
    const start = text.indexOf(token, end)
    end = start + token.length
    return { text: token, start }
  })
}

const segmenters = new Map<string, Intl.Segmenter>()

/**
 * The segmenter for the word boundaries of a language (UAX #29 through Intl.Segmenter). It is
 * cached, because creating one takes as long as splitting a line.
 *
 *     wordSegmenter('en') === wordSegmenter('en') // true
 */
export function wordSegmenter(language: string): Intl.Segmenter {
  return segmenters.getOrInsertComputed(language, () => new Intl.Segmenter(language, { granularity: 'word' }))
}

function segmentAny(text: string, language: string): PlacedText[] {
  const joinedPieces: PlacedText[] = []
  let pendingHyphen = ''
  let openEnd = -1
  for (const { segment: piece, index, isWordLike } of wordSegmenter(language).segment(text)) {
    const adjoining = openEnd === index
    if (isWordLike && adjoining && pendingHyphen !== '') joinedPieces.at(-1)!.text += pendingHyphen + piece
    else if (isWordLike) joinedPieces.push({ text: piece, start: index })
    pendingHyphen = adjoining && pendingHyphen === '' && hyphen.test(piece) ? piece : ''
    openEnd = isWordLike || pendingHyphen !== '' ? index + piece.length : -1
  }
  return joinedPieces.flatMap(({ text: raw, start }) => {
    const bareText = stripPunctuation(raw)
    return isSpoken(bareText) ? [{ text: bareText, start: start + raw.indexOf(bareText) }] : []
  })
}

/**
 * Whether a token counts: it has a letter or digit.
 *
 *     isSpoken('…') // false
 */
export function isSpoken(text: string): boolean {
  return letterOrDigit.test(text)
}
