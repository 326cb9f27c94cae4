import { caseKey } from '#language/lower-case.ts'
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

/**
 * The text before the first and behind the last of the tokens that are found in it one after
 * another, ignoring case.
 */
function around(
  text: string,
  tokens: readonly Spelling[],
  language: string,
): { before: string; after: string } {
  // Its characters that end a sentence are those of the text.
  const key = caseKey(text, language)
  let [first, end] = [-1, 0]
  for (const token of tokens) {
    const at = key.indexOf(token.caseKey, end)
    if (at < 0) continue
    if (first < 0) first = at
    end = at + token.caseKey.length
  }
  return { before: key.slice(0, Math.max(0, first)), after: key.slice(end) }
}
