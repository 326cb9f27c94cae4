import type { Entry } from './lexicon.ts'

/** The forms of a noun that tables leave out: -s and -es of the genitive, -n of the dative. */
export function nounForms(headword: string, entries: readonly Entry[]): Entry[] {
  const known = entries.filter(({ kind }) => kind === 'noun').flatMap(({ forms }) => [...forms])
  if (known.length === 0 && !/^\p{Lu}/u.test(headword)) return []
  const datives = known.filter((form) => /e[lr]?$/.test(form)).map((form) => `${form}n`)
  return [{ kind: 'noun', forms: [headword, `${headword}s`, `${headword}es`, ...datives] }]
}

/** Particles that always stand apart, where the tables take some of their verbs for one piece. */
const particles =
  /^(?:ab|an|auf|aus|bei|ein|empor|fest|fort|frei|her|hin|los|mit|nach|nieder|statt|teil|vor|weg|weiter|zu|zurück|zusammen)(?=\p{L}{4})/u

/**
 * The forms of a verb that tables leave out: ich freu, and those of subordinate clauses: eingeht.
 */
export function verbForms(headword: string, entries: readonly Entry[]): Entry[] {
  const verbs = entries.filter(({ kind }) => kind === 'verb')
  const prefix = verbs.some(({ particle }) => particle) ? undefined : particles.exec(headword)?.[0]
  return verbs.flatMap(({ forms, particle }): Entry[] => {
    const short = [...forms].filter((form) => /[^aeiou]e$/.test(form)).map((form) => form.slice(0, -1))
    const all = [...forms, ...short]
    const apart = prefix === undefined ? [] : all.filter((form) => form.startsWith(prefix))
    if (particle !== undefined)
      return [
        { kind: 'verb', forms: short, particle },
        { kind: 'verb', forms: all.map((form) => particle + form) },
      ]
    return [
      { kind: 'verb', forms: short },
      ...(prefix === undefined
        ? []
        : [
            {
              kind: 'verb' as const,
              forms: apart.map((form) => form.slice(prefix.length)),
              particle: prefix,
            },
          ]),
    ]
  })
}

const endings = ['', 'e', 'en', 'em', 'er', 'es']

/** The adjectives whose vowel changes when they are compared, but for those in forms/de.tsv. */
const changing = new Set(
  'alt arg arm blass blaß dumm fromm gesund grob groß gross hart jung kalt klug krank kurz lang nass naß rot scharf schmal schwach schwarz stark warm'.split(
    ' ',
  ),
)
const umlauts: Readonly<Record<string, string>> = { a: 'ä', o: 'ö', u: 'ü' }

/** The forms of an adjective, with comparative and superlative. */
export function adjectiveForms(headword: string, entries: readonly Entry[]): Entry[] {
  if (!/^\p{Ll}{3,}$/u.test(headword) || entries.some(({ kind }) => kind === 'verb')) return []
  // leise, leiser; dunkel, dunkle; teuer, teure
  const whole = headword.replace(/e$/, '')
  const short = whole.replace(/e(?=[lr]$)/, '')
  const compared = changing.has(headword) ? whole.replace(/[aou]/, (vowel) => umlauts[vowel]!) : whole
  const superlative = `${compared}${/(?<!end)[dtsßxz]$/.test(compared) ? 'est' : 'st'}`
  const stems = [whole, short, `${compared}er`, `${short}er`, superlative, compared.replace(/ß$/, 'ßt')]
  const forms = [...new Set(stems)].flatMap((stem) => endings.map((ending) => stem + ending))
  return [{ kind: 'other', forms: [headword, ...forms.filter((form) => form !== whole && form !== short)] }]
}
