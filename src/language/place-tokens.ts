import { caseKey } from './lower-case.ts'

/** Where a token stands in a text, in UTF-16 units. */
export interface Place {
  start: number
  end: number
}

/**
 * Finds tokens in the text that they were taken from, one after another, ignoring case; `keys` are
 * their `caseKey`s. null for a token that is not in the text behind the one found before: a source
 * may time other words than it shows.
 *
 *     placeTokens('Oh, no!', ['oh', 'no'], 'en') // [{ start: 0, end: 2 }, { start: 4, end: 6 }]
 */
export function placeTokens(text: string, keys: readonly string[], language: string): (Place | null)[] {
  const { key, starts } = keyOf(text, language)
  let from = 0
  return keys.map((sought) => {
    const at = key.indexOf(sought, from)
    if (at < 0) return null
    from = at + sought.length
    return starts ? { start: starts[at]!, end: starts[from]! } : { start: at, end: from }
  })
}

/**
 * Where the tokens `from … to` of a text of `length` units stand together. A token that the text
 * does not show has its place between its neighbours.
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

/**
 * The text as it is compared. If its length differs, `starts` holds where in the text each unit
 * comes from, and the end.
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
