import vocabularies from './vocabulary.json' with { type: 'json' }

/**
 * Small pools of words that conflict with one another: a headword that is another's form, forms of
 * two headwords, phrases and their parts, hyphens and spaces, apostrophes, letters with special
 * rules for case and diacritics, digits.
 */
export type Vocabulary = {
  /** headword, then its forms */
  words: [headword: string, ...forms: string[]][]
  /** Spoken, but in no catalogue. */
  fillers: string[]
}

/** The pools, keyed by language. */
export const VOCABULARIES = vocabularies as unknown as Record<string, Vocabulary>
