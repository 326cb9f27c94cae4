import type { TokenAnalyser, Vocabulary } from './analyser.ts'
import { byToken, GeneratedForms, type FormsOf, type Neighbours } from './generated-forms.ts'
import { nominalForms } from './portuguese-nouns.ts'
import { verbForms } from './portuguese-verbs.ts'

/** Contractions of a preposition that are spelled like forms of verbs: pelo (pelar). */
const contractions = new Set(
  'desse desses dessa dessas deste destes nesse neste pelo pela pelos pelas'.split(' '),
)

const notVerbs = new Set(
  'ar quer quaisquer lugar mar bar par lar açúcar dólar colar pilar popular familiar similar particular singular solar escolar circular nuclear celular militar espetacular auxiliar titular mulher colher talher qualquer sequer líder caráter poder flor cor amor senhor doutor professor'.split(
    ' ',
  ),
)

/** Forms of the most common verbs, which many catalogues also list as headwords. */
const alwaysForms = new Set(['é', 'são', 'foi', 'era', 'está', 'tem', 'vai', 'há'])

/** Contractions, each with the preposition in it: da, nesta, ao, pelos. */
const contracted: readonly [contraction: RegExp, preposition: string][] = [
  [/^d(?:[oa]s?|el[ea]s?|ess[ea]s?|est[ea]s?|aquel[ea]s?|isso|isto|aquilo|um|uns|umas?)$/, 'de'],
  [/^n(?:[oa]s?|el[ea]s?|ess[ea]s?|est[ea]s?|aquel[ea]s?|isso|isto|aquilo|um|uns|umas?)$/, 'em'],
  [/^(?:aos?|às?|àquel[ea]s?|àquilo)$/, 'a'],
  [/^pel[oa]s?$/, 'por'],
]

/**
 * The Portuguese analyser: forms of verbs, with pronouns too, plurals and feminines, and
 * prepositions in contractions, all by rules.
 */
export function openPortuguese(vocabulary: Vocabulary): TokenAnalyser {
  const forms = portugueseForms(vocabulary)
  const named = (form: string) => (forms.isHeadword(form) ? [form] : forms.wordsOf(form)).filter(isVerb)
  return byToken('pt', (token, neighbours) => {
    const found = forms.wordsOf(token)
    if (found.length > 0) return inContext(found, token.toLowerCase(), neighbours)
    if (forms.isHeadword(token)) return []
    const key = token.toLowerCase()
    const preposition = contracted.find(([contraction]) => contraction.test(key))?.[1]
    if (preposition !== undefined) return [preposition]
    return vocabulary.has(token) ? [] : [...new Set(verbsOf(key).flatMap(named))]
  })
}

/** The forms of determiners that the rules for nouns do not give. */
const others: Readonly<Record<string, string>> = {
  um: 'uns uma umas',
  meu: 'minha meus minhas',
  teu: 'tua teus tuas',
  seu: 'sua seus suas',
}

/** The forms of Portuguese headwords, by rules of conjugation, number and gender. */
export function portugueseForms(vocabulary: Vocabulary): GeneratedForms {
  const formsOf: FormsOf = (headword) => {
    if (isVerb(headword)) {
      const { indicative, subjunctive } = verbForms(headword)
      return [[], indicative, subjunctive].map((forms) =>
        [...forms].filter((form) => !contractions.has(form)),
      )
    }
    if (others[headword]) return [others[headword].split(' ')]
    const { plurals, genders } = nominalForms(headword)
    return [plurals, [], [], genders]
  }
  return new GeneratedForms('pt', vocabulary, formsOf, alwaysForms)
}

const towards = /^(?:[aà]s?|aos?|até|para|pra|embora)$/

/**
 * Chooses between ser and ir, which share foi and fosse: one goes to a place, or away. Before for
 * and fosse, "se" means "if".
 */
function inContext(
  verbs: readonly string[],
  token: string,
  { before, after }: Neighbours,
): readonly string[] {
  if (!verbs.includes('ser') || !verbs.includes('ir')) return verbs
  const goes = (before === 'se' && /^(?:foi|foram)$/.test(token)) || towards.test(after)
  return verbs.filter((verb) => verb !== (goes ? 'ser' : 'ir'))
}

/** A verb with a pronoun, such as disse-me. Segmentation never splits at a hyphen. */
const hyphenated = /^(\p{L}+)-(?:me|te|se|lhes?|nos|vos|[oa]s?|n[oa]s?|(l[oa]s?))$/u

/**
 * The forms of a verb that a token with a pronoun may contain. Before -lo, -la, -los and -las, a
 * final r, s or z is dropped: fazê-lo, fi-lo.
 */
function verbsOf(token: string): string[] {
  const [, form, isCut] = hyphenated.exec(token) ?? []
  if (form === undefined) return []
  if (!isCut) return [form]
  const plain = form.slice(0, -1) + form.at(-1)!.normalize('NFD').charAt(0)
  return ['r', 's', 'z'].map((end) => (form === 'pô' ? form : plain) + end)
}

function isVerb(word: string): boolean {
  if (word === 'pôr' || /^\p{L}{2,}por$/u.test(word)) return true
  return /^\p{L}*[aeií]r$/u.test(word) && (word === 'poder' || !notVerbs.has(word))
}
