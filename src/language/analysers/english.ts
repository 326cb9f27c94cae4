import { cacheByText } from '../cache-by-text.ts'
import { searchFold } from '../folds.ts'
import { caseKey } from '../lower-case.ts'
import type { TokenAnalyser, Vocabulary } from './analyser.ts'
import { readDataRows, readLists } from './data-file.ts'
import { tokenWords } from './by-token.ts'
import { fixedForms } from './open-lexicon.ts'
import { readRules } from './inflection-rules.ts'
import { isParticle, separatedVerbs } from './particle-verbs.ts'

/**
 * The English analyser: regular inflection by rules, irregular forms and contractions from data. A
 * contraction is one token for all its words: don't is do and not. A verb may be separated from its
 * particle: look it up.
 */
export function openEnglish(vocabulary: Vocabulary): TokenAnalyser {
  const { saidBy, basesOf, headwordKeys } = english(vocabulary)
  /** The words of a key, cached, because finding them takes a dozen look-ups for each token. */
  const known = cacheByText((key) => {
    const wordsIn = (context: Context) => tokenWords(saidBy(key, context))
    const any = wordsIn('any')
    const isAmbiguous = /ing$|'/.test(key)
    const [verb, perfect] = isAmbiguous ? [wordsIn('verb'), wordsIn('perfect')] : [any, any]
    return { isAmbiguous, words: { any, verb, perfect }, mayStandApart: isParticle(key) }
  })
  return {
    wordsOf(spokenTokens) {
      const tokens = spokenTokens.map((token) => ({ ...token, text: caseKey(token.text, 'en') }))
      const texts = tokens.map(({ text }) => known(text))
      const verbsByIndex = texts.some(({ mayStandApart }) => mayStandApart)
        ? separatedVerbs(tokens, headwordKeys, basesOf)
        : null
      return texts.map(({ words, isAmbiguous }, i) => {
        const { text } = tokens[i]!
        const context = isAmbiguous ? contextOf(tokens[i - 1]?.text, text, tokens[i + 1]?.text) : 'any'
        const apart = verbsByIndex?.get(i)
        return apart ? [...(words[context] ?? []), ...apart] : words[context]
      })
    },
  }
}

/**
 * The conclusion from a token's neighbours: with `verb`, it is a form of a verb ("is meeting");
 * with `perfect`, its 's or 'd is short for "has" or "had".
 */
type Context = 'any' | 'verb' | 'perfect'

const isIn = readLists('english-words.txt')

function contextOf(before = '', token: string, after = ''): Context {
  if (token.endsWith('ing')) {
    const follows = isIn('beforeIng', before) || /'(?:m|re)$/.test(before)
    return follows && !isIn('adjectiveIng', token) ? 'verb' : 'any'
  }
  return token.includes("'") && isIn('perfect', after) ? 'perfect' : 'any'
}

function english({ headwords, has }: Vocabulary) {
  const keys = headwords.map((headword) => caseKey(headword, 'en'))
  const headwordKeys = new Set(keys)
  /** Headwords, and first words of phrases: looked up is look up, even if look is no headword. */
  const bases = new Set([...keys, ...keys.map((key) => key.replace(/ .*/, ''))])
  const { usual, rare } = readIrregular()
  const regular = regularForms(bases)
  const contractions = fixedForms('en')

  /** The words that a form may belong to, the likeliest first. */
  const basesOf = (form: string, isVerb = false): string[] => {
    const lemmas = usual.get(form) ?? []
    const base = isIn('uninflected', form) ? undefined : regular.get(form)
    if (headwordKeys.has(form)) return [form, ...lemmas, ...(isVerb && base !== undefined ? [base] : [])]
    const irregular = [...lemmas, ...(rare.get(form) ?? [])]
    return irregular.length > 0 ? irregular : [base ?? form]
  }
  const lemmasOf = (word: string) => [...new Set([...basesOf(word), word])]

  const partsOf = (token: string, context: Context): readonly (readonly string[])[] | undefined => {
    const contraction = contractions.get(token)
    if (contraction) return contraction
    const [, host, clitic] = /^(.+)('(?:ll|re|ve|m|d|s))$/.exec(token) ?? []
    if (host === undefined) return undefined
    if (clitic === "'s" && !isIn('withIs', host)) return [lemmasOf(host)]
    const isPerfect = context === 'perfect' && /'[ds]/.test(clitic!)
    return [lemmasOf(host), ...(isPerfect ? [['have']] : contractions.get(clitic!)!)]
  }

  /** The words of a token, each with its lemmas; empty if its spelling decides. */
  const saidBy = (token: string, context: Context): readonly (readonly string[])[] => {
    const parts = partsOf(token, context)
    if (parts) return has(token) ? [[token], ...parts] : parts
    // The catalogue itself lists which words its forms belong to.
    if (has(token) && !headwordKeys.has(token)) return []
    const bases = basesOf(token, context === 'verb')
    if (bases.length > 1 || bases[0] !== token) return bases.map((base) => [base])
    const plain = withoutMarks(token)
    if (plain === token) return []
    const words = saidBy(plain, context)
    return words.length > 0 ? words : [[plain]]
  }
  return { saidBy, basesOf, headwordKeys }
}

/** Reads irregular forms. Those in `rare` count only if the form is not a catalogue word. */
function readIrregular() {
  const [usual, rare] = [new Map<string, string[]>(), new Map<string, string[]>()]
  for (const [lemma, ...forms] of readDataRows('english-forms.txt'))
    for (const form of forms)
      (form.endsWith('?') ? rare : usual).getOrInsertComputed(form.replace('?', ''), () => []).push(lemma)
  return { usual, rare }
}

/** Returns a loanword without its diacritics, which people often leave out: naïve is naive. */
function withoutMarks(word: string): string {
  return isIn('marked', word) ? word : searchFold(word, 'en')
}

const rules = readRules('rules/en.txt')

/** Returns the likeliest word for each regular form. */
function regularForms(bases: ReadonlySet<string>): Map<string, string> {
  const formsOf = (base: string) =>
    rules.apply({ word: [base], compared: isIn('compared', base) ? [base] : [] })
  const all = [...bases].map((base) => [base, formsOf(base)] as const)
  const byForm = new Map<string, string>()
  for (const set of ['likely', 'second', 'third'])
    for (const [base, forms] of all) for (const form of forms[set] ?? []) byForm.getOrInsert(form, base)
  for (const [form, base] of [...byForm, ...[...bases].map((base) => [base, base] as const)]) {
    const plain = withoutMarks(form)
    if (plain !== form) byForm.getOrInsert(plain, base)
  }
  return byForm
}
