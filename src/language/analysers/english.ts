import { caseKey } from '../lower-case.ts'
import type { TokenAnalyser, Vocabulary } from './analyser.ts'
import { readDataLines } from './data-file.ts'
import { tokenWords } from './generated-forms.ts'
import { ParticleVerbs } from './particle-verbs.ts'
import type { TokenWord } from './token-word.ts'

/** More forms than speech is made of. A full cache is emptied. */
const rememberedTokens = 2 ** 15

/**
 * The English analyser: regular inflection by rules, irregular forms and contractions from data.
 * What a contraction says is said by one token: don't says do and not. A verb may stand apart from
 * its particle: look it up.
 */
export function openEnglish(vocabulary: Vocabulary): TokenAnalyser {
  const { saidBy, basesOf } = english(vocabulary)
  const particleVerbs = new ParticleVerbs(vocabulary.headwords)
  const known: Record<Context, Map<string, TokenWord[] | null>> = {
    any: new Map(),
    verb: new Map(),
    perfect: new Map(),
  }
  const wordsOf = (token: string, context: Context) => {
    const cache = known[context]
    let words = cache.get(token)
    if (words === undefined) {
      if (cache.size === rememberedTokens) cache.clear()
      words = tokenWords(saidBy(caseKey(token, 'en'), context)) ?? null
      cache.set(token, words)
    }
    return words ?? undefined
  }
  return {
    wordsOf(tokens) {
      const separated = particleVerbs.separatedIn(tokens, (token) => basesOf(caseKey(token, 'en')))
      return tokens.map(({ text }, i) => {
        const found = wordsOf(text, contextOf(tokens[i - 1]?.text, text, tokens[i + 1]?.text))
        return separated.has(i) ? [...(found ?? []), ...separated.get(i)!] : found
      })
    },
  }
}

/**
 * What the neighbours of a token say of it: it is a verb (is meeting, have closed), or its 's or 'd
 * is has or had.
 */
type Context = 'any' | 'verb' | 'perfect'

/** Before these, 's and 'd are has and had. */
const perfects = new Set('been got had done gone become better'.split(' '))
const beforeIng =
  /^(?:am|is|are|was|were|be|been|by|without|from|while|when|start|started|stop|stopped|keep|keeps|kept|enjoy|me|you|him|us|them|not|just|.*'(?:m|re))$/i
const beforeEd = /^(?:have|has|had|having|i|we|you|he|she|they|who|.*'ve)$/i
/** These follow a form of be, too, and are no verbs. */
const adjectives = /^(?:interest|bor|excit|will|miss|amaz|surpris|liv|lov|charm|confus|disappoint)ing$/i

function contextOf(before: string | undefined, token: string, after: string | undefined): Context {
  if (before !== undefined && token.endsWith('ing'))
    return beforeIng.test(before) && !adjectives.test(token) ? 'verb' : 'any'
  if (before !== undefined && token.endsWith('ed')) return beforeEd.test(before) ? 'verb' : 'any'
  return after !== undefined && /['’]/.test(token) && perfects.has(after) ? 'perfect' : 'any'
}

/** What ends in 's and is no possessive. */
const withIs = new Set(
  'it he she that this there here what who where when why how everything something nothing'.split(' '),
)
/** What follows the apostrophe, and the verb that it is. */
const clitics: Readonly<Record<string, string>> = { ll: 'will', re: 'be', ve: 'have', m: 'be' }
const negated: Readonly<Record<string, string>> = { ca: 'can', wo: 'will', sha: 'shall' }

function english({ headwords, has }: Vocabulary) {
  const keys = headwords.map((headword) => caseKey(headword, 'en'))
  const own = new Set(keys)
  /** Headwords, and what phrases begin with: looked up is look up, even if look is no headword. */
  const bases = new Set([...keys, ...keys.map((key) => key.replace(/ .*/, ''))])
  const irregular = readForms()
  const contractions = readContractions()
  const compared = readAdjectives()

  /** What a form may be one of, the likeliest first. */
  const basesOf = (form: string, isVerb = false): string[] => {
    const { lemmas = [], rare = [] } = irregular.get(form) ?? {}
    const regular = regularBases(form).find((base) => bases.has(base))
    if (own.has(form)) return [form, ...lemmas, ...(isVerb && regular !== undefined ? [regular] : [])]
    if (lemmas.length + rare.length > 0) return [...lemmas, ...rare]
    if (regular !== undefined) return [regular]
    const adjective = comparedBases(form).find((base) => compared.has(base) && bases.has(base))
    return adjective === undefined ? [form] : [adjective]
  }
  const lemmasOf = (word: string) => [...new Set([...basesOf(word), word])]

  const partsOf = (token: string, context: Context): string[][] | undefined => {
    const listed = contractions.get(token)
    if (listed) return listed
    const [, host, clitic] = /^(.+?)(n't|'(?:ll|re|ve|m|d|s))$/.exec(token) ?? []
    if (host === undefined) return undefined
    if (clitic === "n't") return [lemmasOf(negated[host] ?? host), ['not']]
    if (clitic === "'d") return [lemmasOf(host), [context === 'perfect' ? 'have' : 'would']]
    if (clitic !== "'s") return [lemmasOf(host), [clitics[clitic!.slice(1)]!]]
    return withIs.has(host) ? [lemmasOf(host), [context === 'perfect' ? 'have' : 'be']] : [lemmasOf(host)]
  }

  /** The words that a token says, each with its lemmas; none where its spelling says it. */
  const saidBy = (token: string, context: Context): string[][] => {
    const parts = partsOf(token, context)
    if (parts) return has(token) ? [[token], ...parts] : parts
    // The catalogue says itself what its listed forms belong to.
    if (has(token) && !own.has(token)) return []
    const found = basesOf(token, context === 'verb')
    return found.length === 1 && found[0] === token ? [] : found.map((base) => [base])
  }
  return { saidBy, basesOf }
}

interface Irregular {
  lemmas: string[]
  /** Those that the form belongs to only where it is no word of the catalogue itself. */
  rare: string[]
}

function readForms(): Map<string, Irregular> {
  const byForm = new Map<string, Irregular>()
  for (const line of readDataLines('english-forms.txt')) {
    const [lemma, ...forms] = line.toLowerCase().split(' ') as [string, ...string[]]
    for (const form of forms) {
      const isRare = form.endsWith('?')
      const known = byForm.getOrInsertComputed(isRare ? form.slice(0, -1) : form, () => ({
        lemmas: [],
        rare: [],
      }))
      known[isRare ? 'rare' : 'lemmas'].push(lemma)
    }
  }
  return byForm
}

/** The words of each contraction, each with its lemmas. */
function readContractions(): Map<string, string[][]> {
  return new Map(
    readDataLines('english-contractions.txt').map((line) => {
      const [token, ...words] = line.toLowerCase().split(' ') as [string, ...string[]]
      return [token, words.map((word) => word.split('/'))]
    }),
  )
}

function readAdjectives(): Set<string> {
  return new Set(readDataLines('english-adjectives.txt').flatMap((line) => line.split(' ')))
}

/** These end like forms of other words. */
const uninflected = new Set(
  'news his this its us is was as has thus yes perhaps always thing bring king ring sing wing sting string spring evening morning nothing something anything everything during ceiling need seed speed feed indeed hundred red bed'.split(
    ' ',
  ),
)

/**
 * The words that a form may be one of by the rules of plurals, -s, -ed and -ing, likeliest first.
 */
function regularBases(form: string): string[] {
  if (uninflected.has(form) || form.length < 3) return []
  if (form.endsWith('ies')) return [`${form.slice(0, -3)}y`, form.slice(0, -1)]
  if (/[^s]s$/.test(form)) return [form.slice(0, -1), ...(form.endsWith('es') ? [form.slice(0, -2)] : [])]
  const [, stem, ending] = /^(.*[aeiouy].*)(ed|ing)$/.exec(form) ?? []
  if (stem === undefined) return []
  if (stem.endsWith('i') && ending === 'ed') return [`${stem.slice(0, -1)}y`]
  return [`${stem}e`, stem, ...undoubled(stem)]
}

/** The adjectives that a form may be a comparative or a superlative of. */
function comparedBases(form: string): string[] {
  const [, stem] = /^(.{2,})e(?:r|st)$/.exec(form) ?? []
  if (stem === undefined) return []
  return [stem, `${stem}e`, stem.replace(/i$/, 'y'), ...undoubled(stem)]
}

/** stopp → stop, panick → panic. */
function undoubled(stem: string): string[] {
  return /([^aeiou])\1$|ck$/.test(stem) ? [stem.slice(0, -1)] : []
}
