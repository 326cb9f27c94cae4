import { caseKey } from './lower-case.ts'

/** Where a token stands in a text, in UTF-16 units. */
export interface Place {
  start: number
  end: number
}

/**
 * Finds tokens in the text that they were taken from, one after another and ignoring case. Null for
 * a token that the text does not hold behind the one found before it: a source may time other words
 * than it shows.
 */
export function placeTokens(text: string, tokens: readonly string[], language: string): (Place | null)[] {
  const { key, starts } = keyOf(text, language)
  let from = 0
  return tokens.map((token) => {
    const sought = caseKey(token, language)
    const at = key.indexOf(sought, from)
    if (at < 0) return null
    from = at + sought.length
    return starts ? { start: starts[at]!, end: starts[from]! } : { start: at, end: from }
  })
}

/**
 * The text as it is compared; `starts`, where its length is another, tells where in the text each
 * unit comes from, and the end.
 */
function keyOf(text: string, language: string): { key: string; starts: number[] | null } {
  const whole = caseKey(text, language)
  if (whole.length === text.length) return { key: whole, starts: null }
  const starts: number[] = []
  let key = ''
  let at = 0
  for (const character of text) {
    const piece = caseKey(character, language)
    for (let i = 0; i < piece.length; i++) starts.push(at)
    key += piece
    at += character.length
  }
  return { key, starts: [...starts, at] }
}
