import { placeTokens, type Place } from '#language/place-tokens.ts'
import type { Spelling } from './lexicon.ts'
import { sentenceEnd, type TokenisedCue } from './tokenise.ts'

/**
 * Which tokens of a clip begin a sentence, counted through all its cues, without the first token.
 * Inside a cue the tokens say it. Between cues, the text between the last token of one and the
 * first of the next decides, including cues without tokens between them. `spellings` are by cue and
 * token.
 */
export function sentenceStarts(
  cues: readonly TokenisedCue[],
  spellings: readonly Spelling[][],
  language: string,
): number[] {
  const starts: number[] = []
  let count = 0
  let gap = ''
  for (const [c, { text, tokens }] of cues.entries()) {
    if (tokens.length === 0) {
      gap += text
      continue
    }
    const { before, after } = around(text, spellings[c]!, language)
    for (let i = 0; i < tokens.length; i++) {
      const isStart = i === 0 ? sentenceEnd.test(gap + before) : tokens[i]!.startsSentence
      if (isStart && count + i > 0) starts.push(count + i)
    }
    count += tokens.length
    gap = after
  }
  return starts
}

/** The text before the first and behind the last of the tokens that are found in it. */
function around(
  text: string,
  tokens: readonly Spelling[],
  language: string,
): { before: string; after: string } {
  const keys = tokens.map(({ caseKey }) => caseKey)
  const places = placeTokens(text, keys, language)
  const isFound = (place: Place | null) => place !== null
  const [first, last] = [places.find(isFound), places.findLast(isFound)]
  return { before: text.slice(0, first?.start ?? 0), after: text.slice(last?.end ?? 0) }
}
