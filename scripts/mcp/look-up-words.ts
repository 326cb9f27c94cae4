import type { ClipLookup } from '#client/clip-lookup.ts'
import type { Gloss } from '#client/operations.ts'
import { wordText } from './clip-text.ts'

export interface LookUpWordsArguments {
  words: string[]
  by?: 'spelling' | 'meaning' | undefined
  language?: string | undefined
  gloss?: Gloss | undefined
}

/** The number of words that are shown for a meaning. */
const wordsPerMeaning = 3

/** Looks many words up, by their spellings in one request or by their meanings in one each. */
export async function lookUpWordsText(
  client: ClipLookup,
  { by = 'spelling', ...rest }: LookUpWordsArguments,
) {
  const lines = by === 'spelling' ? await bySpelling(client, rest) : await byMeaning(client, rest)
  return [...lines, 'Next: find_clips with a word, or make_flashcards with several.'].join('\n')
}

type Words = Omit<LookUpWordsArguments, 'by'>

async function bySpelling(client: ClipLookup, { words, language, gloss }: Words): Promise<string[]> {
  const page = await client.listWords({ spellings: words, language, gloss })
  const lines = page.words.map((word) => {
    const isHeadword = word.spelling === undefined || word.spelling === word.word
    return `${isHeadword ? '' : `${word.spelling} → `}${wordText(word)} id ${word.wordId}`
  })
  const known = new Set(page.words.map(({ spelling }) => spelling))
  const missing = words.map((text) => text.normalize('NFC').trim()).filter((text) => !known.has(text))
  if (missing.length === 0) return lines
  const advice = 'Use find_clips to search for them in sentences, or by=meaning if they are meanings.'
  return [...lines, `Not in the catalogue: ${missing.join(', ')}. ${advice}`]
}

async function byMeaning(client: ClipLookup, { words, language, gloss }: Words): Promise<string[]> {
  const lines: string[] = []
  for (const q of words) {
    const page = await client.listWords({
      q,
      in: 'meanings',
      language,
      gloss,
      hasClips: false,
      limit: wordsPerMeaning,
    })
    const texts = page.words.map((word) => `${wordText(word)} id ${word.wordId}`)
    lines.push(`${q} → ${texts.length > 0 ? texts.join('; ') : 'no word has this meaning'}`)
  }
  return lines
}
