import type { SpokenToken } from './analyser.ts'
import { readDataLines, readLists } from './data-file.ts'
import type { Kind, Lexicon } from './lexicon.ts'
import type { WordTable } from './word-tables.ts'

interface LexiconLanguage extends Pick<Lexicon, 'kindsAt'> {
  tables: readonly WordTable[]
  hunspell: boolean
  compounds: boolean
}

const isIn = readLists('lexicon-words.txt')
const lines = readDataLines('lexicons.txt')

/** The lines of lexicons.txt for a language. */
export function lexiconLines(language: string): string[] {
  return lines.filter((line) => line.startsWith(`${language} `))
}

/** Where the lexicon analyser has the forms of a language from; lexicons.txt explains it. */
export function lexiconLanguage(language: string): LexiconLanguage {
  const settings = lexiconLines(language).map((line) => line.split(' ').slice(1))
  const tables = settings.filter(({ length }) => length > 1) as [Kind, string, string][]
  const has = (setting: string) => settings.some(([name]) => name === setting)
  return {
    tables: tables.map(([kind, packageName, file]) => ({ kind, packageName, file })),
    hunspell: settings.length === 0 || has('hunspell'),
    compounds: has('compounds'),
    kindsAt: kindsAt[language],
  }
}

const kindsAt: Readonly<Record<string, Lexicon['kindsAt']>> = {
  de: germanKinds,
  fr: kindsAfter('fr'),
  it: kindsAfter('it'),
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
