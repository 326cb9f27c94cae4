import type { Analyser, Vocabulary } from './analyser.ts'
import { byToken, GeneratedForms } from './generated-forms.ts'

/**
 * The Portuguese analyser: forms of verbs, with pronouns too, plurals and feminines, all by rules.
 */
export function openPortuguese(vocabulary: Vocabulary): Analyser {
  const forms = portugueseForms(vocabulary)
  const named = (form: string) => (vocabulary.has(form) ? [[form]] : forms.wordsOf(form))
  return byToken('pt', (token) => {
    const found = forms.wordsOf(token)
    if (found.length > 0 || vocabulary.has(token)) return found
    const verbs = verbsOf(token.toLowerCase()).flatMap((form) => named(form).flat())
    return [...new Set(verbs)].map((verb) => [verb])
  })
}

/** The forms of Portuguese headwords, by rules of conjugation, number and gender. */
export function portugueseForms(vocabulary: Vocabulary): GeneratedForms {
  return new GeneratedForms('pt', vocabulary, (headword) => {
    if (isVerb(headword)) return [[], [...verbForms(headword)].filter((form) => !contractions.has(form)), []]
    if (headword === 'um') return [['uns', 'uma', 'umas']]
    const { plurals, genders } = nominalForms(headword)
    return [plurals, [], genders]
  })
}

/** Disse-me: a hyphenated token is never taken apart, so that it is a form as a whole. */
const hyphenated = /^(\p{L}+)-(?:me|te|se|lhes?|nos|vos|[oa]s?|n[oa]s?|(l[oa]s?))$/u

/**
 * The forms that a verb with a pronoun may be of. Before -lo and its like, r, s and z fall away:
 * fazê-lo, fi-lo.
 */
function verbsOf(token: string): string[] {
  const [, form, isCut] = hyphenated.exec(token) ?? []
  if (form === undefined) return []
  if (!isCut) return [form]
  const plain = form.slice(0, -1) + form.at(-1)!.normalize('NFD').charAt(0)
  return ['r', 's', 'z'].map((end) => (form === 'pô' ? form : plain) + end)
}

/**
 * Prepositions with the article or pronoun that they swallow, which are spelled like forms of
 * verbs.
 */
const contractions = new Set(
  'desse desses dessa dessas deste destes nesse neste pelo pela pelos pelas'.split(' '),
)

const notVerbs = new Set(
  'quer quaisquer lugar mar bar par lar açúcar dólar colar pilar popular familiar similar particular singular solar escolar circular nuclear celular militar espetacular auxiliar titular mulher colher talher qualquer sequer líder caráter poder flor cor amor senhor doutor professor'.split(
    ' ',
  ),
)

function isVerb(word: string): boolean {
  if (word === 'pôr' || /^\p{L}{2,}por$/u.test(word)) return true
  return /^\p{L}+[aeií]r$/u.test(word) && (word === 'poder' || !notVerbs.has(word))
}

/**
 * Plural, feminine and feminine plural of a noun or an adjective; some do not exist, and nobody
 * says them.
 */
export function nominalForms(word: string): { plurals: string[]; genders: string[] } {
  if (!/^\p{L}{3,}$/u.test(word)) return { plurals: [], genders: [] }
  const feminines = femininesOf(word)
  return { plurals: pluralsOf(word), genders: [...feminines, ...feminines.map((form) => `${form}s`)] }
}

/** -ão has three plurals, of which only usage tells the right one. */
function pluralsOf(word: string): string[] {
  const cut = (count: number, ending: string) => word.slice(0, -count) + ending
  if (word.endsWith('ão')) return [cut(2, 'ões'), cut(2, 'ães'), cut(2, 'ãos')]
  if (word.endsWith('ês')) return [cut(2, 'eses')]
  if (/[áeaou]l$/.test(word)) return [lPlural(word)]
  if (word.endsWith('il')) return [cut(2, 'is'), cut(2, 'eis')]
  if (word.endsWith('m')) return [cut(1, 'ns')]
  if (/[rzs]$/.test(word)) return [`${word}es`]
  return /[aeiouáéíóúâêôã]$/.test(word) ? [`${word}s`] : []
}

function lPlural(word: string): string {
  const accents: Record<string, string> = { e: 'é', o: 'ó' }
  const vowel = word.at(-2)!
  const hasAccent = /[áéíóúâêô]/.test(word)
  return `${word.slice(0, -2)}${hasAccent ? vowel : (accents[vowel] ?? vowel)}is`
}

function femininesOf(word: string): string[] {
  const cut = (count: number, ending: string) => word.slice(0, -count) + ending
  if (word.endsWith('ão')) return [cut(2, 'ã'), cut(2, 'ona'), cut(2, 'oa')]
  if (word.endsWith('eu')) return [cut(2, 'eia')]
  if (word.endsWith('ês')) return [cut(2, 'esa')]
  if (word.endsWith('o')) return [cut(1, 'a')]
  return word.endsWith('or') ? [`${word}a`] : []
}

/*
 * Verbs. A form is a stem and an ending; irregular verbs name the stems and forms that rules do not
 * give. From the stem of the preterite come pluperfect, imperfect subjunctive and future
 * subjunctive; from the present's first person the present subjunctive and the commands; from the
 * infinitive the rest.
 */

interface Irregular {
  present?: string
  preterite?: string
  /** Of the preterite, that of disse, disseram. */
  perfectStem?: string
  imperfect?: string
  subjunctiveStem?: string
  futureStem?: string
  participle?: string
  more?: string
}

const irregular: Record<string, Irregular> = {
  ser: {
    present: 'sou és é somos sois são',
    preterite: 'fui foste foi fomos foram',
    perfectStem: 'fo',
    imperfect: 'era eras éramos eram',
    subjunctiveStem: 'sej',
    more: 'sê',
  },
  ir: {
    present: 'vou vais vai vamos ides vão',
    preterite: 'fui foste foi fomos foram',
    perfectStem: 'fo',
    imperfect: 'ia ias íamos iam',
    more: 'vá vás vamos vades vão indo',
  },
  estar: {
    present: 'estou estás está estamos estão',
    preterite: 'estive estiveste esteve estivemos estiveram',
    perfectStem: 'estive',
    subjunctiveStem: 'estej',
    more: 'tá tô tava',
  },
  ter: {
    present: 'tenho tens tem temos têm',
    preterite: 'tive tiveste teve tivemos tiveram',
    perfectStem: 'tive',
    imperfect: 'tinha tinhas tínhamos tinham',
    subjunctiveStem: 'tenh',
  },
  vir: {
    present: 'venho vens vem vimos vêm',
    preterite: 'vim vieste veio viemos vieram',
    perfectStem: 'vie',
    imperfect: 'vinha vinhas vínhamos vinham',
    subjunctiveStem: 'venh',
    participle: 'vindo',
    more: 'vindo',
  },
  ver: {
    present: 'vejo vês vê vemos veem vêem',
    preterite: 'vi viste viu vimos viram',
    perfectStem: 'vi',
    subjunctiveStem: 'vej',
    participle: 'visto',
  },
  haver: {
    present: 'hei hás há havemos hão',
    preterite: 'houve houveste houvemos houveram',
    perfectStem: 'houve',
    subjunctiveStem: 'haj',
  },
  fazer: {
    present: 'faço fazes faz fazemos fazem',
    preterite: 'fiz fizeste fez fizemos fizeram',
    perfectStem: 'fize',
    subjunctiveStem: 'faç',
    futureStem: 'far',
    participle: 'feito',
  },
  dizer: {
    present: 'digo dizes diz dizemos dizem',
    preterite: 'disse disseste dissemos disseram',
    perfectStem: 'disse',
    subjunctiveStem: 'dig',
    futureStem: 'dir',
    participle: 'dito',
  },
  trazer: {
    present: 'trago trazes traz trazemos trazem',
    preterite: 'trouxe trouxeste trouxemos trouxeram',
    perfectStem: 'trouxe',
    subjunctiveStem: 'trag',
    futureStem: 'trar',
  },
  poder: {
    present: 'posso podes pode podemos podem',
    preterite: 'pude pudeste pôde pudemos puderam',
    perfectStem: 'pude',
    subjunctiveStem: 'poss',
  },
  querer: {
    present: 'quero queres quer queremos querem',
    preterite: 'quis quiseste quis quisemos quiseram',
    perfectStem: 'quise',
    subjunctiveStem: 'queir',
  },
  saber: {
    present: 'sei sabes sabe sabemos sabem',
    preterite: 'soube soubeste soubemos souberam',
    perfectStem: 'soube',
    subjunctiveStem: 'saib',
  },
  caber: {
    present: 'caibo cabes cabe cabemos cabem',
    preterite: 'coube coubemos couberam',
    perfectStem: 'coube',
    subjunctiveStem: 'caib',
  },
  dar: {
    present: 'dou dás dá damos dão',
    preterite: 'dei deste deu demos deram',
    perfectStem: 'de',
    more: 'dê dês deem dêem',
  },
  crer: { present: 'creio crês crê cremos creem crêem', subjunctiveStem: 'crei' },
  ler: { present: 'leio lês lê lemos leem lêem', subjunctiveStem: 'lei' },
  perder: { present: 'perco perdes perde perdemos perdem', subjunctiveStem: 'perc' },
  ouvir: { present: 'ouço oiço ouves ouve ouvimos ouvem', subjunctiveStem: 'ouç' },
  pedir: { present: 'peço pedes pede pedimos pedem', subjunctiveStem: 'peç' },
  medir: { present: 'meço medes mede medimos medem', subjunctiveStem: 'meç' },
  valer: { present: 'valho vales vale valemos valem', subjunctiveStem: 'valh' },
  sair: {
    present: 'saio sais sai saímos saem',
    preterite: 'saí saíste saiu saímos saíram',
    perfectStem: 'saí',
    imperfect: 'saía saías saíamos saíam',
    subjunctiveStem: 'sai',
    participle: 'saído',
  },
  cair: {
    present: 'caio cais cai caímos caem',
    preterite: 'caí caíste caiu caímos caíram',
    perfectStem: 'caí',
    imperfect: 'caía caías caíamos caíam',
    subjunctiveStem: 'cai',
    participle: 'caído',
  },
  rir: { present: 'rio ris ri rimos riem', subjunctiveStem: 'ri' },
  pôr: {
    present: 'ponho pões põe pomos põem',
    preterite: 'pus puseste pôs pusemos puseram',
    perfectStem: 'puse',
    imperfect: 'punha punhas púnhamos punham',
    subjunctiveStem: 'ponh',
    futureStem: 'por',
    participle: 'posto',
    more: 'pondo',
  },
  construir: { present: 'construo constróis constrói construímos constroem' },
  abrir: { participle: 'aberto' },
  cobrir: { present: 'cubro cobres cobre cobrimos cobrem', subjunctiveStem: 'cubr', participle: 'coberto' },
  escrever: { participle: 'escrito' },
  morrer: { more: 'morto morta mortos mortas' },
  ganhar: { more: 'ganho' },
  pagar: { more: 'pago' },
  aceitar: { more: 'aceito aceite' },
  dormir: { present: 'durmo dormes dorme dormimos dormem', subjunctiveStem: 'durm' },
  subir: { present: 'subo sobes sobe subimos sobem' },
  fugir: { present: 'fujo foges foge fugimos fogem' },
}
/** Verbs with a prefix follow these: compor, descobrir, obter, prever. */
const bases = [
  'pôr',
  'por',
  'ter',
  'ver',
  'vir',
  'fazer',
  'dizer',
  'trazer',
  'cobrir',
  'escrever',
  'abrir',
  'pedir',
  'sair',
  'cair',
  'ler',
]

function verbForms(verb: string): Set<string> {
  const forms = new Set<string>()
  const put = (stem: string, endings: string) => {
    for (const ending of endings.split(' ')) forms.add(stem + (ending === '-' ? '' : ending))
  }
  const [prefix, exceptions] = irregularOf(verb)
  const said = (list: string | undefined) => list?.split(' ').map((form) => prefix + form) ?? []
  const stem = verb.slice(0, -2)
  const theme = verb.endsWith('pôr') || verb.endsWith('por') ? 'o' : verb.at(-2) === 'í' ? 'i' : verb.at(-2)!
  const { present, preterite, imperfect, perfectStem, subjunctiveStem, futureStem } = exceptions
  if (present) for (const form of said(present)) forms.add(form)
  else if (theme !== 'o') for (const form of presentOf(stem, theme)) forms.add(form)
  if (preterite) for (const form of said(preterite)) forms.add(form)
  else if (theme !== 'o') put('', preteriteOf(stem, theme).join(' '))
  if (imperfect) for (const form of said(imperfect)) forms.add(form)
  else if (theme !== 'o') put(stem, theme === 'a' ? 'ava avas ávamos avam' : 'ia ias íamos iam')
  const perfect = perfectStem === undefined ? stem + theme : prefix + perfectStem
  put(perfect, 'ra ras ramos ram sse sses ssem r res rmos rem')
  forms
    .add(`${perfect.slice(0, -1)}${acute(perfect.at(-1)!)}ssemos`)
    .add(`${perfect.slice(0, -1)}${circumflex(perfect.at(-1)!)}ssemos`)
  put(futureStem === undefined ? verb : prefix + futureStem, 'ei ás á emos ão ia ias íamos iam')
  for (const form of subjunctiveOf(
    subjunctiveStem === undefined ? undefined : prefix + subjunctiveStem,
    stem,
    theme,
  ))
    forms.add(form)
  put(verb.replace('ô', 'o'), 'es mos em')
  if (theme !== 'o') forms.add(`${stem}${theme}ndo`)
  const participle =
    exceptions.participle === undefined
      ? `${stem}${theme === 'a' ? 'ado' : 'ido'}`
      : prefix + exceptions.participle
  for (const ending of ['o', 'a', 'os', 'as']) forms.add(participle.slice(0, -1) + ending)
  for (const form of said(exceptions.more)) forms.add(form)
  return forms
}

function irregularOf(verb: string): [prefix: string, Irregular] {
  if (irregular[verb]) return ['', irregular[verb]]
  const base = bases.find((known) => verb.length > known.length + 1 && verb.endsWith(known))
  if (base === undefined) return ['', {}]
  return [verb.slice(0, -base.length), irregular[base === 'por' ? 'pôr' : base]!]
}

/** Spelling before e and i, and before a and o: ficar, fiquei; conhecer, conheço. */
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
  if (theme === 'e') return [first, `${stem}es`, `${stem}e`, `${stem}emos`, `${stem}em`]
  const vowel = /[uz]$/.test(stem)
  return [
    first,
    `${stem}es`,
    `${stem}e`,
    `${stem}imos`,
    `${stem}em`,
    ...(vowel ? [`${stem}is`, `${stem}i`, stem, `${stem}ímos`] : []),
  ]
}

/** sentir, sinto; vestir, visto; preferir, prefiro. */
function raised(stem: string): string {
  return stem.replace(/e([^aeiou]+)$/, 'i$1')
}

function preteriteOf(stem: string, theme: string): string[] {
  if (theme === 'a')
    return [`${softened(stem)}ei`, ...['aste', 'ou', 'amos', 'ámos', 'aram'].map((ending) => stem + ending)]
  if (theme === 'e') return ['i', 'este', 'eu', 'emos', 'eram'].map((ending) => stem + ending)
  return ['i', 'í', 'iste', 'íste', 'iu', 'imos', 'ímos', 'iram', 'íram'].map((ending) => stem + ending)
}

function subjunctiveOf(known: string | undefined, stem: string, theme: string): string[] {
  if (theme === 'a' && known === undefined)
    return ['e', 'es', 'emos', 'em'].flatMap((ending) => [
      softened(stem) + ending,
      softened(stem.replace(/e$/, 'ei')) + ending,
    ])
  const root = known ?? hardened(theme === 'i' ? raised(stem) : stem)
  return ['a', 'as', 'amos', 'am'].map((ending) => root + ending)
}

function acute(vowel: string): string {
  return `${vowel}\u0301`.normalize('NFC')
}
function circumflex(vowel: string): string {
  return `${vowel}\u0302`.normalize('NFC')
}
