import { caseKey } from '../lower-case.ts'
import type { TokenAnalyser, Vocabulary } from './analyser.ts'
import { byToken, type Neighbours } from './by-token.ts'
import { RomanceForms, isInRomanceList as isIn, type RomanceLanguage } from './romance-forms.ts'

/**
 * The analyser of Spanish or Portuguese. It finds by rules the forms of verbs (with and without
 * attached pronouns), plurals, feminines and contractions. If words share a form, the neighbouring
 * tokens decide between some of them.
 */
export function openRomance(language: RomanceLanguage, vocabulary: Vocabulary): TokenAnalyser {
  const forms = new RomanceForms(language, vocabulary)
  const headwordsOf = (token: string, neighbours: Neighbours) => {
    const key = caseKey(token, language)
    if (neighbours.isName) return []
    if (isIn(`${language}.article`, key) && isPronoun(neighbours, forms) && forms.isHeadword('él'))
      return ['él']
    const words = forms.wordsOf(token, isIn(`${language}.beforeVerb`, neighbours.before))
    if (words.length === 0) {
      if (vocabulary.has(token)) return []
      const verbs = forms.verbsIn(key)
      return verbs.length > 0 ? verbs : forms.withAccents(key)
    }
    const likely = inContext(words, key, neighbours, language)
    if (!isIn(`${language}.reflexive`, neighbours.before)) return likely
    // After a pronoun, mueve is also moverse.
    const reflexive = likely.map((verb) => `${verb}se`)
    return [...likely, ...reflexive.filter((verb) => forms.isHeadword(verb))]
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
