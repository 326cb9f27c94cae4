import { acute, circumflex, withoutAccents } from './accents.ts'
import { irregularOf, withEndings } from './irregular-verbs.ts'
import { irregular, prefixes } from './portuguese-irregular-verbs.ts'

/*
 * A form is a stem and an ending; irregular verbs name the stems and forms that rules do not give.
 * From the stem of the preterite come pluperfect, imperfect subjunctive and future subjunctive;
 * from the present's first person the present subjunctive and the commands; from the infinitive the
 * rest.
 */

/**
 * The forms of a Portuguese verb by its infinitive, among them a few that do not exist, which does
 * no harm. Those of the indicative go first: sente is sentir, rather than sentar.
 */
export function verbForms(verb: string) {
  const { prefix, known } = irregularOf(verb, irregular, prefixes)
  const said = (list: string | undefined) => list?.split(' ').map((form) => prefix + form)
  const stem = verb.slice(0, -2)
  const theme = withoutAccents(verb.at(-2)!)
  const regular = (forms: () => string[]) => (theme === 'o' ? [] : forms())

  const perfect = known.perfectStem === undefined ? stem + theme : prefix + known.perfectStem
  const future = known.futureStem === undefined ? verb : prefix + known.futureStem
  const participle = said(known.participle)?.[0] ?? `${stem}${theme === 'a' ? 'ado' : 'ido'}`
  const subjunctiveStem = known.subjunctiveStem === undefined ? undefined : prefix + known.subjunctiveStem
  const past = theme === 'a' ? 'ava avas ávamos avam' : 'ia ias íamos iam'
  return {
    indicative: new Set([
      ...(said(known.present) ?? regular(() => presentOf(stem, theme))),
      ...(said(known.preterite) ?? regular(() => preteriteOf(stem, theme))),
      ...(said(known.imperfect) ?? regular(() => withEndings(stem, past))),
      ...withEndings(perfect, 'ra ras ramos'),
      ...withEndings(future, 'ei ás á emos ão ia ias íamos iam'),
      ...withEndings(verb.replace('ô', 'o'), 'es mos em'),
      ...regular(() => [`${stem}${theme}ndo`]),
      ...withEndings(participle.slice(0, -1), 'o a os as'),
      ...(said(known.more) ?? []),
    ]),
    subjunctive: new Set([
      ...subjunctiveOf(subjunctiveStem, stem, theme),
      perfect + 'r',
      ...withEndings(perfect, 'sse sses ssem res rmos rem'),
      ...[acute, circumflex].map((accent) => `${perfect.slice(0, -1)}${accent(perfect.at(-1)!)}ssemos`),
    ]),
  }
}

/** The spelling of a stem before e and i, or before a and o: fiquei (ficar), conheço. */
function softened(stem: string): string {
  return stem.replace(/c$/, 'qu').replace(/g$/, 'gu').replace(/ç$/, 'c')
}
function hardened(stem: string): string {
  if (stem.endsWith('c')) return `${stem.slice(0, -1)}ç`
  if (stem.endsWith('gu')) return stem.slice(0, -1)
  return stem.endsWith('g') ? `${stem.slice(0, -1)}j` : stem
}

function presentOf(stem: string, theme: string): string[] {
  if (theme === 'a') {
    const heard = stem.replace(/e$/, 'ei')
    return [`${heard}o`, `${heard}as`, `${heard}a`, `${stem}amos`, `${heard}am`]
  }
  const first = `${hardened(theme === 'i' ? raised(stem) : stem)}o`
  if (theme === 'e') return [first, ...withEndings(stem, 'es e emos em')]
  const others = /[uz]$/.test(stem) ? [`${stem}is`, `${stem}i`, stem, `${stem}ímos`] : []
  return [first, ...withEndings(stem, 'es e imos em'), ...others]
}

/** sentir, sinto; vestir, visto; seguir, sigo. */
function raised(stem: string): string {
  return stem.replace(/e([^aeiou]+u?)$/, 'i$1')
}

function preteriteOf(stem: string, theme: string): string[] {
  if (theme === 'a') return [`${softened(stem)}ei`, ...withEndings(stem, 'aste ou amos ámos aram')]
  return withEndings(stem, theme === 'e' ? 'i este eu emos eram' : 'i í iste íste iu imos ímos iram íram')
}

function subjunctiveOf(known: string | undefined, stem: string, theme: string): string[] {
  if (theme === 'a' && known === undefined)
    return ['e', 'es', 'emos', 'em'].flatMap((ending) => [
      softened(stem) + ending,
      softened(stem.replace(/e$/, 'ei')) + ending,
    ])
  const root = known ?? hardened(theme === 'i' ? raised(stem) : stem)
  return withEndings(root, 'a as amos am')
}
