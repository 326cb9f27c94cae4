import type { TokenAnalyser, Vocabulary } from './analyser.ts'
import { byToken, type Neighbours } from './by-token.ts'
import { readLists } from './data-file.ts'
import { RomanceForms, type RomanceLanguage } from './romance-forms.ts'

const isIn = readLists('romance-words.txt')

/**
 * The analyser of Spanish or Portuguese: forms of verbs, also with attached pronouns, plurals,
 * feminines and contractions, by tables. What stands around a form tells some of those apart that
 * several words share.
 */
export function openRomance(language: RomanceLanguage, vocabulary: Vocabulary): TokenAnalyser {
  const forms = new RomanceForms(language, vocabulary)
  const headwordsOf = (token: string, neighbours: Neighbours) => {
    const { before, isName } = neighbours
    const key = token.toLowerCase()
    if (isName) return []
    if (isIn(`${language}.article`, key) && isPronoun(neighbours, forms) && vocabulary.has('él'))
      return ['él']
    const found = forms.wordsOf(token, isIn(`${language}.beforeVerb`, before))
    if (found.length === 0) return vocabulary.has(token) ? [] : forms.verbsIn(key)
    const likely = inContext(found, key, neighbours, language)
    if (!isIn(`${language}.reflexive`, before)) return likely
    return likely.flatMap((verb) => [verb, forms.reflexives.get(verb) ?? []].flat())
  }
  return byToken(language, (token, neighbours) => headwordsOf(token, neighbours).map((word) => [word]))
}

/** Whether an article stands for a noun: la vio, los que, en las de. */
function isPronoun({ before, after }: Neighbours, forms: RomanceForms): boolean {
  if (isIn('ofNoun', after)) return true
  return !isIn('preposition', before) && (after === 'que' || forms.isFinite(after))
}

/**
 * Chooses between ser and ir, which share forms: fue a casa is ir, fue así is ser. Before
 * Portuguese for and fosse, "se" means "if".
 */
function inContext(
  words: readonly string[],
  token: string,
  { before, after }: Neighbours,
  language: RomanceLanguage,
): readonly string[] {
  if (!words.includes('ser') || !words.includes('ir')) return words
  const isReflexive = isIn(`${language}.reflexive`, before) && !/^fo(?:r|ss)/.test(token)
  const goes = isReflexive || isIn(`${language}.towards`, after)
  return words.filter((word) => word !== (goes ? 'ser' : 'ir'))
}
