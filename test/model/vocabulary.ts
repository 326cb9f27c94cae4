import vocabularies from './vocabulary.json' with { type: 'json' }

/**
 * Small pools of words that get into one another's way: a headword that is another's form, forms of
 * two headwords, phrases and their parts, hyphen against space, apostrophes, letters that case and
 * diacritics treat in their own way, digits.
 */
export type Vocabulary = {
  /** headword, then its forms */
  words: [headword: string, ...forms: string[]][]
  /** said, but in no catalogue */
  fillers: string[]
}

/** By language. */
export const VOCABULARIES = vocabularies as unknown as Record<string, Vocabulary>
