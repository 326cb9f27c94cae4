import type { CallOptions } from '#client/call-options.ts'
import { wordsBySpelling } from '#client/helpers/words-by-spelling.ts'
import type { Operations } from '#client/operations.ts'
import type { Arguments } from './arguments.ts'
import { joinLines, wordText } from './clip-text.ts'

/** The number of words that are shown for a meaning. */
const wordsPerMeaning = 3

/** Looks many words up, by their spellings in one request or by their meanings in one each. */
export async function lookUpWordsText(
  client: Operations,
  { by = 'spelling', ...rest }: Arguments<'look_up_words'>,
  options: CallOptions,
): Promise<string> {
  const lookUp = by === 'spelling' ? bySpelling : byMeaning
  const lines = await lookUp(client, rest, options)
  return joinLines(...lines, 'Next: find_clips with a word, or make_flashcards with several.')
}

type Words = Omit<Arguments<'look_up_words'>, 'by'>

async function bySpelling(
  client: Operations,
  { words: texts, language, gloss }: Words,
  options: CallOptions,
): Promise<string[]> {
  const { words, missing } = await wordsBySpelling(client, texts, { language, gloss, ...options })
  const lines = words.map((word) => {
    const isHeadword = word.spelling === undefined || word.spelling === word.word
    return `${isHeadword ? '' : `${word.spelling} → `}${wordText(word)}`
  })
  if (missing.length === 0) return lines
  const advice = 'Use find_clips to search for them in sentences, or by=meaning if they are meanings.'
  return [...lines, `Not in the catalogue: ${missing.join(', ')}. ${advice}`]
}

async function byMeaning(
  client: Operations,
  { words: texts, language, gloss }: Words,
  options: CallOptions,
): Promise<string[]> {
  const filters = { in: 'meanings', language, gloss, hasClips: false, limit: wordsPerMeaning } as const
  const pages = await Promise.all(texts.map((q) => client.listWords({ q, ...filters }, options)))
  return pages.map(({ words }, i) => {
    return `${texts[i]} → ${words.map(wordText).join('; ') || 'no word has this meaning'}`
  })
}
