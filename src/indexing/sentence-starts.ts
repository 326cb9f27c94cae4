import { placeTokens } from '#language/place-tokens.ts'
import { sentenceEnd, type TokenisedCue } from './tokenise.ts'

/**
 * Which tokens of a clip begin a sentence, counted through all its cues, without the first token.
 * Inside a cue the tokens say it. Between cues, the text between the last token of one and the
 * first of the next decides, including cues without tokens between them.
 */
export function sentenceStarts(cues: readonly TokenisedCue[], language: string): number[] {
  const starts: number[] = []
  let count = 0
  let gap = ''
  for (const { text, tokens } of cues) {
    const { before, after } = around(
      text,
      tokens.map((token) => token.text),
      language,
    )
    if (tokens.length === 0) {
      gap += text
      continue
    }
    for (const [i, token] of tokens.entries()) {
      const isStart = i === 0 ? sentenceEnd.test(gap + before) : token.startsSentence
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
  tokens: readonly string[],
  language: string,
): { before: string; after: string } {
  const places = placeTokens(text, tokens, language).filter((place) => place !== null)
  return { before: text.slice(0, places[0]?.start ?? 0), after: text.slice(places.at(-1)?.end ?? 0) }
}
