import { withoutAccents } from './accents.ts'
import { irregularOf, withEndings } from './irregular-verbs.ts'
import { irregular, prefixes, raisedStem, stressedStem } from './spanish-irregular-verbs.ts'

const presentEndings: Readonly<Record<string, string>> = {
  a: 'o as a amos áis an',
  e: 'o es e emos éis en',
  i: 'o es e imos ís en',
}
const conditional = 'ía ías íamos íais ían'

/**
 * The forms of a Spanish verb by its infinitive, without a pronoun on it, among them a few that do
 * not exist, which does no harm. Those of the indicative go first: creamos is crear, rather than
 * creer. `hosts` are those that pronouns are written on, without accents: infinitive, gerund,
 * commands.
 */
export function verbForms(verb: string) {
  const stem = verb.slice(0, -2)
  const theme = withoutAccents(verb.at(-2)!)
  const { prefix, known } = irregularOf(verb, irregular, prefixes)
  const said = (list: string | undefined) => list?.split(' ').map((form) => prefix + form)
  const strong = stressedStem(verb, stem)
  const raised = raisedStem(verb, stem)

  const present = said(known.present) ?? presentOf(strong, stem, theme)
  const preteriteStem = known.preterite === undefined ? undefined : prefix + known.preterite
  const past = preteriteStem === undefined ? preteriteOf(stem, raised, theme) : strongPreterite(preteriteStem)
  const subjunctive = said(known.subjunctive) ?? subjunctiveStems(present[0]!, stem, raised, theme)
  const future = known.future === undefined ? withoutAccents(verb) : prefix + known.future
  const participle = said(known.participle)?.[0] ?? participleOf(stem, theme)
  const gerund = said(known.gerund)?.[0] ?? gerundOf(raised, theme)
  const command = said(known.command)?.[0] ?? present[2]!

  const subjunctives = subjunctive.flatMap((root) =>
    withEndings(root, theme === 'a' ? 'e es emos éis en' : 'a as amos áis an'),
  )
  return {
    indicative: new Set([
      ...present,
      ...accented(verb, present),
      ...past.forms,
      ...(said(known.imperfect) ??
        withEndings(stem, theme === 'a' ? 'aba abas ábamos abais aban' : conditional)),
      ...withEndings(future, `é ás á emos éis án ${conditional}`),
      ...withEndings(participle.slice(0, -1), 'o a os as'),
      gerund,
      command,
      `${verb.slice(0, -1)}d`,
      ...(said(known.more) ?? []),
    ]),
    subjunctive: new Set([
      ...subjunctives,
      ...accented(verb, subjunctives),
      ...imperfectSubjunctive(past.plural),
    ]),
    // Vamos and nos: vámonos, the s falls away.
    hosts: new Set(
      [
        verb,
        gerund,
        command,
        present[2]!,
        ...subjunctives,
        ...subjunctives.map((form) => form.replace(/mos$/, 'mo')),
        ...(verb === 'ir' ? ['vamo'] : []),
      ].map(withoutAccents),
    ),
  }
}

function presentOf(strong: string, stem: string, theme: string): string[] {
  const [first, second, third, ...others] = presentEndings[theme]!.split(' ')
  const [we, you, they] = others
  // construyo, construyes, but construimos; seguir and distinguir have no u to sound.
  const inner = theme === 'i' && /[^gq]u$/.test(strong) ? `${strong}y` : strong
  return [
    firstStem(inner, stem, theme) + first!,
    inner + second!,
    inner + third!,
    stem + we!,
    stem + you!,
    inner + they!,
  ]
}

/** Spelling before o and a, and the -zc- of conozco: venzo, cojo, sigo, hago. */
function firstStem(strong: string, stem: string, theme: string): string {
  if (theme === 'a') return strong
  if (/[aeiou]c$/.test(stem) && strong === stem) return `${stem.slice(0, -1)}zc`
  return hard(strong)
}

function hard(stem: string): string {
  return stem.replace(/c$/, 'z').replace(/g$/, 'j').replace(/gu$/, 'g').replace(/qu$/, 'c')
}

/** Spelling before e: busqué, llegué, empecé, averigüé. */
function soft(stem: string): string {
  return stem.replace(/c$/, 'qu').replace(/gu$/, 'gü').replace(/g$/, 'gu').replace(/z$/, 'c')
}

/** The stems of the present subjunctive, under stress and not: piens-, pens-; pid-; conozc-. */
function subjunctiveStems(first: string, stem: string, raised: string, theme: string): string[] {
  const own = first.replace(/o$/, '')
  if (theme === 'a') return [soft(own), soft(stem)]
  return theme === 'i' ? [own, hard(raised)] : [own, ...(/[oe]/.test(stem) ? [hard(stem)] : [])]
}

interface Past {
  forms: string[]
  /** The third person of the plural, of which the imperfect subjunctive is made. */
  plural: string
}

function preteriteOf(stem: string, raised: string, theme: string): Past {
  if (theme === 'a')
    return {
      forms: [`${soft(stem)}é`, ...withEndings(stem, 'aste ó amos asteis aron')],
      plural: `${stem}aron`,
    }
  // leyó, cayó, construyó; gruñó
  const isVowel = /[aeo]$|[^gq]u$/.test(raised)
  const [third, plural] = isVowel ? ['yó', 'yeron'] : /ñ$|ll$/.test(raised) ? ['ó', 'eron'] : ['ió', 'ieron']
  const first = withEndings(stem, 'í iste imos isteis')
  if (isVowel) first.push(...withEndings(stem, 'íste ímos ísteis'))
  // traducir: tradujo
  if (stem.endsWith('duc')) return strongPreterite(`${stem.slice(0, -1)}j`)
  return { forms: [...first, raised + third, raised + plural], plural: raised + plural }
}

function strongPreterite(stem: string): Past {
  const plural = stem + (/[ju]$/.test(stem) ? 'eron' : 'ieron')
  return { forms: [...withEndings(stem, 'e iste o imos isteis'), plural], plural }
}

function imperfectSubjunctive(plural: string): string[] {
  const root = plural.slice(0, -3)
  const accentedRoot = root.replace(/[ae]$/, (vowel) => (vowel === 'a' ? 'á' : 'é'))
  return [
    ...withEndings(root, 'ra ras rais ran se ses seis sen'),
    ...withEndings(accentedRoot, 'ramos semos'),
  ]
}

/** envía, continúa: letters do not tell which verbs in -iar and -uar take the accent. */
function accented(verb: string, forms: readonly string[]): string[] {
  if (!/[iu]ar$/.test(verb)) return []
  return forms.map((form) =>
    form.replace(/[iu](?=(?:[oae]|[ae][sn])$)/, (vowel) => (vowel === 'i' ? 'í' : 'ú')),
  )
}

function participleOf(stem: string, theme: string): string {
  if (theme === 'a') return `${stem}ado`
  return /[aeo]$/.test(stem) ? `${stem}ído` : `${stem}ido`
}

function gerundOf(raised: string, theme: string): string {
  if (theme === 'a') return `${raised}ando`
  if (/ñ$|ll$/.test(raised)) return `${raised}endo`
  return /[aeo]$|[^gq]u$/.test(raised) ? `${raised}yendo` : `${raised}iendo`
}
