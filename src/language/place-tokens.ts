import { caseKey } from './lower-case.ts'

/** The position of a token in a text, in UTF-16 units. */
export interface Place {
  start: number
  end: number
}

/**
 * Finds tokens in the text that they were taken from, one after another, ignoring case. `keys` are
 * their `caseKey`s. Returns null for a token that the text does not show as a whole word after the
 * previous one, because a source may time other words than it shows.
 *
 *     placeTokens('Oh, no!', ['oh', 'no'], 'en') // [{ start: 0, end: 2 }, { start: 4, end: 6 }]
 *     placeTokens('The party', ['art'], 'en') // [null]
 */
export function placeTokens(text: string, keys: readonly string[], language: string): (Place | null)[] {
  const { key: textKey, starts } = keyOf(text, language)
  const isAnywhere = withoutSpaces.has(language)
  let from = 0
  return keys.map((key) => {
    let at = textKey.indexOf(key, from)
    while (at >= 0 && !isAnywhere && !isWholeWord(textKey, at, at + key.length))
      at = textKey.indexOf(key, at + 1)
    if (at < 0) return null
    from = at + key.length
    return starts ? { start: starts[at]!, end: starts[from]! } : { start: at, end: from }
  })
}

/** Languages that are written without spaces, so that a token can be anywhere. */
const withoutSpaces = new Set(['ja', 'zh', 'th', 'lo', 'km', 'my'])

/** Matches if no letter, digit or joining hyphen precedes. */
const wordStart = /(?<![\p{L}\p{M}\p{N}]|[\p{L}\p{M}\p{N}][-‐‑])/uy
/** Matches if no letter, digit or joining hyphen follows. */
const wordEnd = /(?![\p{L}\p{M}\p{N}]|[-‐‑][\p{L}\p{M}\p{N}])/uy

function isWholeWord(text: string, start: number, end: number): boolean {
  wordStart.lastIndex = start
  wordEnd.lastIndex = end
  // An elided word ends with its apostrophe, and the next word follows directly: l'homme.
  return wordStart.test(text) && (text[end - 1] === "'" || wordEnd.test(text))
}

/**
 * Returns the position of the tokens `from … to` together, in a text of `length` units. A token
 * that the text does not show lies between its neighbours.
 *
 *     placeRun([{ start: 0, end: 2 }, null, { start: 4, end: 6 }], 0, 2, 9) // { start: 0, end: 4 }
 */
export function placeRun(places: readonly (Place | null)[], from: number, to: number, length: number): Place {
  const isShown = (place: Place | null) => place !== null
  return {
    start: places[from]?.start ?? places.slice(0, from).findLast(isShown)?.end ?? 0,
    end: places[to - 1]?.end ?? places.slice(to).find(isShown)?.start ?? length,
  }
}

/** Matches a letter and its marks, which may become one letter or lose some of them. */
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/**
 * Returns the text in the form in which it is compared. If its length differs, `starts` maps each
 * unit, and the end, to a position in the text.
 */
function keyOf(text: string, language: string): { key: string; starts: number[] | null } {
  const whole = caseKey(text, language)
  if (whole.length === text.length) return { key: whole, starts: null }
  const starts: number[] = []
  let key = ''
  let at = 0
  for (const { segment: character, index } of graphemes.segment(text)) {
    const piece = caseKey(character, language)
    for (let i = 0; i < piece.length; i++) starts.push(index)
    key += piece
    at = index + character.length
  }
  return { key, starts: [...starts, at] }
}
