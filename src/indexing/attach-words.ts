import type { AnalysedWord, TokenWord } from '#language/analysers/analyser.ts'
import type { Token, TokenisedCue } from './tokenise.ts'

/**
 * Gives the tokens of a cue the words that an analyser found in its text. The boundaries of tokens
 * and words may differ: a word belongs to the token that it begins in, and a token inside a longer
 * word has none. A token that the text does not hold after the one before is matched by spelling.
 */
export function attachWords(cue: TokenisedCue, words: readonly AnalysedWord[]): void {
  const places = placesOf(cue)
  let next = 0
  for (const [i, place] of places.entries()) {
    if (!place) continue
    const token = cue.tokens[i]!
    const begun: TokenWord[] = []
    while (next < words.length && words[next]!.start < place.start) next++
    while (next < words.length && words[next]!.start < place.end)
      begun.push(toTokenWord(words[next++]!, i, places, cue.text))
    token.words = begun
  }
  // A token outside all words is matched by its spelling.
  for (const [i, token] of cue.tokens.entries())
    if (token.words?.length === 0 && !isInside(cue.tokens, i)) delete token.words
}

interface Place {
  start: number
  end: number
}

/** Where each token stands in the text of its cue; undefined if not after the token before. */
function placesOf({ text, tokens }: TokenisedCue): (Place | undefined)[] {
  let from = 0
  return tokens.map((token) => {
    const start = text.indexOf(token.text, from)
    if (start < 0) return undefined
    from = start + token.text.length
    return { start, end: from }
  })
}

function toTokenWord(
  { start, end, lemmas, isFunctionWord }: AnalysedWord,
  i: number,
  places: readonly (Place | undefined)[],
  text: string,
): TokenWord {
  let length = 1
  while (places[i + length] && places[i + length]!.start < end) length++
  const isToken = length === 1 && start === places[i]!.start && end === places[i]!.end
  return { length, lemmas, isFunctionWord, ...(isToken ? {} : { spelling: text.slice(start, end) }) }
}

/** Whether a token is inside a word that begins before it. */
export function isInside(tokens: readonly Token[], i: number): boolean {
  for (let from = i - 1; from >= 0 && tokens[from]!.words; from--) {
    if (tokens[from]!.words!.some(({ length }) => from + length > i)) return true
    if (tokens[from]!.words!.length > 0) return false
  }
  return false
}
