import { caseKey } from '../lower-case.ts'
import type { TokenAnalyser, Vocabulary } from './analyser.ts'
import { byToken, type Neighbours } from './by-token.ts'
import { readLists } from './data-file.ts'
import { readRules, type WordSets } from './inflection-rules.ts'

type RomanceLanguage = 'es' | 'pt'

const isIn = readLists('romance-words.txt')

/**
 * The analyser of Spanish or Portuguese: forms of verbs, including those with attached pronouns,
 * plurals, feminines and contractions, by rules. The neighbours of a form distinguish some words
 * that share it.
 */
export function openRomance(language: RomanceLanguage, vocabulary: Vocabulary): TokenAnalyser {
  const forms = romanceForms(language, vocabulary)
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
function isPronoun({ before, after }: Neighbours, forms: ReturnType<typeof romanceForms>): boolean {
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

/**
 * The sets of forms in rules/es.txt and rules/pt.txt. If a token is a form of several headwords,
 * only those of the lowest rank count: Spanish "casas" belongs to "casa", not to "caso" or "casar".
 */
const ranks = { plural: 0, sure: 1, likely: 1, subjunctive: 2, feminine: 3 }
type FormSet = keyof typeof ranks

interface Reading {
  headword: string
  set: FormSet
}

/**
 * Returns text without acute, grave, circumflex and tilde on vowels: á, à, â and ã become a; ñ, ç
 * and ü stay.
 */
function withoutAccents(text: string): string {
  const letters = text.normalize('NFD').replace(/(?<=[aeiou])[\u0300-\u0303]/gi, '')
  return letters.normalize('NFC')
}

/** Returns a text without accents, and with n and c for ñ and ç: mañana, typed manana. */
function inPlainLetters(text: string): string {
  return withoutAccents(text).replaceAll('ñ', 'n').replaceAll('ç', 'c')
}

/** Matches Portuguese endings that no word has without the tilde: não, mãe. */
const nasalEnding = /(?:ã[eo]|õe)s?$/

/**
 * The forms of the headwords of a Romance language. A form that is a headword itself is only that,
 * unless the rules mark it as certainly a form: Spanish "para" is the preposition, not a form of
 * "parar", but "hace" is hacer.
 */
export function romanceForms(language: RomanceLanguage, { headwords, has }: Vocabulary) {
  const rules = readRules(`rules/${language}.txt`)
  const keys = headwords.map((headword) => caseKey(headword, language))
  const headwordKeys = new Set(keys)
  /** Headwords that differ only by accents. Portuguese "a" is never a form of "á". */
  const twins = [...Map.groupBy(keys, withoutAccents).values()].filter(({ length }) => length > 1)
  const isTwin = new Set(twins.flat())
  const byForm = new Map<string, Reading[]>()
  /** The verbs of forms with attached pronouns, keyed by form without accents. */
  const verbs = new Map<string, Set<string>>()
  const hostsIn = ({ host = [] }: WordSets) => [...host].map(withoutAccents)
  /** Rare meanings of a form are ignored. */
  const isRare = (key: string, form: string, headword: string) => {
    const lists = headwordKeys.has(key) ? ['rare', 'rareHeadword'] : ['rare']
    return lists.some((list) => isIn(`${language}.${list}`, `${form}_${headword}`))
  }
  for (const headword of headwords) {
    const wordForms = rules.apply({ word: [headword] })
    const hosts = hostsIn(wordForms)
    for (const host of hosts) verbs.getOrInsertComputed(host, () => new Set()).add(headword)
    // Of mover and moverse, only mover has forms.
    if (hosts.length > 0 && headword.endsWith('rse') && has(headword.slice(0, -2))) continue
    for (const set of Object.keys(ranks) as FormSet[])
      for (const form of wordForms[set] ?? []) {
        const key = caseKey(form, language)
        if (!isRare(key, form, headword)) byForm.getOrInsert(key, []).push({ headword, set })
      }
  }
  /** The headwords and forms with accents, keyed by their spelling without accents. */
  const keysWithoutAccents = new Map<string, string[]>()
  for (const key of new Set([...headwordKeys, ...byForm.keys()])) {
    const plain = inPlainLetters(key)
    if (plain !== key) keysWithoutAccents.getOrInsertComputed(plain, () => []).push(key)
  }
  const readings = (key: string, isVerb: boolean): Reading[] => {
    const isHeadword = headwordKeys.has(key)
    const all = byForm.get(key) ?? []
    const usual = all.filter(({ set }) => !isHeadword || set === 'sure' || (isVerb && isVerbal(set)))
    const lowest = Math.min(...usual.map(({ set }) => ranks[set]))
    return usual.filter(({ set }) => ranks[set] === lowest)
  }
  return {
    isHeadword: (key: string) => headwordKeys.has(key),
    /** Returns the possible words of a token. `isVerb` means that it is a verb here. */
    wordsOf(token: string, isVerb: boolean): readonly string[] {
      const key = caseKey(token, language)
      const formHeadwords = new Set(readings(key, isVerb).map(({ headword }) => headword))
      const isItself = isTwin.has(key) || (formHeadwords.size > 0 && headwordKeys.has(key))
      return isItself ? [key, ...formHeadwords] : [...formHeadwords]
    },
    /** Returns the headwords of verbs in a token with attached pronouns. */
    verbsIn(token: string): string[] {
      const hosts = hostsIn(rules.apply({ token: [token] }))
      return [...new Set(hosts.flatMap((host) => [...(verbs.get(host) ?? [])]))]
    },
    /**
     * Returns the headwords of a token typed without its accents: también, typed tambien. Short
     * words are too often other words: de is not dé.
     */
    withAccents(token: string): string[] {
      if (inPlainLetters(token) !== token) return []
      const allKeys = keysWithoutAccents.get(token) ?? []
      const accentedKeys = token.length < 4 ? allKeys.filter((key) => nasalEnding.test(key)) : allKeys
      const headword = accentedKeys.filter((key) => headwordKeys.has(key))
      if (headword.length > 0) return headword
      // Feminines are derived from any noun: vincula is not a form of vínculo.
      const all = accentedKeys.flatMap((key) => readings(key, false)).filter(({ set }) => set !== 'feminine')
      const lowest = Math.min(...all.map(({ set }) => ranks[set]))
      return [...new Set(all.filter(({ set }) => ranks[set] === lowest).map(({ headword }) => headword))]
    },
    /** Whether a word is a form that only verbs have, and not a participle. */
    isFinite(key: string): boolean {
      const isVerb = readings(key, false).some(({ set }) => isVerbal(set))
      return isVerb && !headwordKeys.has(key) && !/(?:[aií]d|[cs]t|rt)[oa]s?$/.test(key)
    },
    byHeadword(): Map<string, string[]> {
      const forms = new Map<string, string[]>()
      for (const form of byForm.keys())
        for (const { headword } of readings(form, false)) forms.getOrInsert(headword, []).push(form)
      return forms
    },
  }
}

function isVerbal(set: FormSet): boolean {
  return set === 'sure' || set === 'likely' || set === 'subjunctive'
}
