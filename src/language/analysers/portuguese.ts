import type { TokenAnalyser, Vocabulary } from './analyser.ts'
import { byToken, type Neighbours } from './generated-forms.ts'
import { romanceForms, type RomanceForms } from './romance-forms.ts'

/** Contractions, each with the preposition in it: da, nesta, ao, pelos. */
const contracted: readonly [contraction: RegExp, preposition: string][] = [
  [/^d(?:[oa]s?|el[ea]s?|ess[ea]s?|est[ea]s?|aquel[ea]s?|isso|isto|aquilo|um|uns|umas?)$/, 'de'],
  [/^n(?:[oa]s?|el[ea]s?|ess[ea]s?|est[ea]s?|aquel[ea]s?|isso|isto|aquilo|um|uns|umas?)$/, 'em'],
  [/^(?:aos?|às?|àquel[ea]s?|àquilo)$/, 'a'],
  [/^pel[oa]s?$/, 'por'],
]

/**
 * The Portuguese analyser: forms of verbs, with pronouns too, plurals and feminines by tables, and
 * prepositions in contractions.
 */
export function openPortuguese(vocabulary: Vocabulary): TokenAnalyser {
  const { forms, hosts } = portugueseForms(vocabulary)
  return byToken('pt', (token, neighbours) => {
    const key = token.toLowerCase()
    const preposition = contracted.find(([contraction]) => contraction.test(key))?.[1]
    if (preposition !== undefined) return forms.isHeadword(key) ? [] : [preposition]
    if (neighbours.isName) return []
    const found = forms.wordsOf(token, beforeVerb.test(neighbours.before))
    if (found.length > 0) return inContext(found, key, neighbours)
    if (vocabulary.has(token)) return []
    return [...new Set(hostsOf(key).flatMap((host) => hosts.get(host) ?? []))]
  })
}

/** The forms of the headwords. */
export function portugueseForms(vocabulary: Vocabulary): RomanceForms {
  return romanceForms('pt', vocabulary, (verb, columns) => [verb, ...columns.flat()])
}

/** Forms of ter, ser and estar go before participles, and pronouns before other forms. */
const beforeVerb =
  /^(?:t[eê]m|tinham?|tenham?|tido|havia|ter|fo(?:i|ram|sse)|é|são|eram?|sido|ser(?:á|ia)?|est(?:á|ão|ava|avam)|sendo|me|te|se|nos|lhes?|não|que)$/
const towards = /^(?:[aà]s?|aos?|até|para|pra|embora)$/

/**
 * Chooses between ser and ir, which share foi and fosse: one goes to a place, or away. Before for
 * and fosse, "se" means "if".
 */
function inContext(
  words: readonly string[],
  token: string,
  { before, after }: Neighbours,
): readonly string[] {
  if (!words.includes('ser') || !words.includes('ir')) return words
  const goes = (before === 'se' && /^(?:foi|foram)$/.test(token)) || towards.test(after)
  return words.filter((word) => word !== (goes ? 'ser' : 'ir'))
}

/** A verb with a pronoun, such as disse-me. Segmentation never splits at a hyphen. */
const hyphenated = /^(\p{L}+)-(?:me|te|se|lhes?|nos|vos|[oa]s?|n[oa]s?|(l[oa]s?))$/u

/**
 * The forms of a verb that a token with a pronoun may contain. Before -lo, -la, -los and -las, a
 * final r, s or z is dropped: fazê-lo, fi-lo.
 */
function hostsOf(token: string): string[] {
  const [, form, isCut] = hyphenated.exec(token) ?? []
  if (form === undefined) return []
  if (!isCut) return [form]
  const plain = form.slice(0, -1) + form.at(-1)!.normalize('NFD').charAt(0)
  return ['r', 's', 'z'].map((end) => (form === 'pô' ? form : plain) + end)
}
