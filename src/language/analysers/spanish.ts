import { withoutAccents } from './accents.ts'
import type { TokenAnalyser, Vocabulary } from './analyser.ts'
import { byToken, type Neighbours } from './generated-forms.ts'
import { romanceForms, type RomanceForms } from './romance-forms.ts'

/**
 * The Spanish analyser: forms of verbs, also with attached pronouns, plurals and feminines, by
 * tables.
 */
export function openSpanish(vocabulary: Vocabulary): TokenAnalyser {
  const { forms, hosts, reflexives } = spanishForms(vocabulary)
  return byToken('es', (token, neighbours) => {
    if (neighbours.isName) return []
    const found = forms.wordsOf(token, beforeVerb.test(neighbours.before))
    if (found.length === 0 && !vocabulary.has(token)) return wordsOnHosts(token.toLowerCase(), hosts)
    const verbs = found.length > 1 ? inContext(found, neighbours) : found
    if (!pronoun.test(neighbours.before)) return verbs
    return verbs.flatMap((verb) => [verb, reflexives.get(verb) ?? []].flat())
  })
}

/** The forms of the headwords. */
export function spanishForms(vocabulary: Vocabulary): RomanceForms {
  return romanceForms('es', vocabulary, (verb, [, , , hosts = []]) =>
    [verb, `${verb.slice(0, -1)}d`, ...hosts].map(withoutAccents),
  )
}

/** Forms of haber, ser and estar go before participles, and pronouns before other forms. */
const beforeVerb =
  /^(?:h[eaé]s?|ha[ns]|hemos|habéis|hab(?:ía|rá|ría)[ns]?|haya[ns]?|hub[oi]\p{L}*|haber|fue(?:ron)?|es|son|eran?|sido|ser|está[ns]?|estaban?|siendo|me|te|se|nos|no|que)$/u
const pronoun = /^(?:me|te|se|nos|os)$/

/** Chooses between ser and ir, which share forms: fue a casa is ir, fue así is ser. */
function inContext(words: readonly string[], { before, after }: Neighbours): readonly string[] {
  if (!words.includes('ser') || !words.includes('ir')) return words
  const goes = pronoun.test(before) || /^(?:al?|hacia|hasta)$/.test(after)
  return words.filter((word) => word !== (goes ? 'ser' : 'ir'))
}

/** The pronouns that can be attached to a verb: dímelo, buscándola, levantarse. */
const pronouns = /^(?:se(?:me|te|nos|os)|(?:me|te|se|nos|os)(?:l[aeo]s?)?|l[aeo]s?)$/

/**
 * The headwords of a verb with attached pronouns. Accents are ignored, because a pronoun changes
 * them: diciendo, diciéndome.
 */
function wordsOnHosts(token: string, hosts: RomanceForms['hosts']): string[] {
  const found = new Set<string>()
  const plain = withoutAccents(token)
  for (let length = 2; length < plain.length - 1; length++) {
    if (!pronouns.test(plain.slice(length))) continue
    for (const headword of hosts.get(plain.slice(0, length)) ?? []) found.add(headword)
  }
  return [...found]
}
