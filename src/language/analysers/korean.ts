import type { TokenAnalyser, Vocabulary } from './analyser.ts'
import { byLemmas } from './generated-forms.ts'
import { fixedForms, readListed } from './open-lexicon.ts'

/** A stem in one of its spellings, and what may follow it. */
interface Stem {
  headword: string
  tail: RegExp
  /** Of stems of the same length, those of the lowest rank count. */
  rank: number
}

/**
 * The Korean analyser: a token is the word whose stem is the longest that leaves particles or
 * endings. It works with jamo (NFD), because endings begin within a syllable: 가다, 간다.
 */
export function openKorean({ headwords }: Vocabulary): TokenAnalyser {
  const stems = new Map<string, Stem[]>()
  for (const headword of headwords) {
    const add = (stem: string, tail: RegExp, rank = 1) =>
      stems.getOrInsertComputed(stem, () => []).push({ headword, tail, rank })
    const jamo = headword.normalize('NFD')
    // A noun of one syllable is rarer than a verb, but for pronouns: 가는 is 가다, 나는 is 나.
    const rank = headword.length > 1 || pronouns.has(headword) ? 0 : 2
    add(jamo, isOpen(jamo) ? tails.openNoun : jamo.endsWith(final.l) ? tails.lNoun : tails.closedNoun, rank)
    if (jamo.endsWith('다'.normalize('NFD')) && headword.length > 1) addVerb(jamo.slice(0, -2), add)
  }
  const fixed = fixedForms(readListed('ko'))
  const known = new Set(headwords)
  return byLemmas('ko', (token, { before }) => {
    // Behind a number stands a counter, whole: 3건 has no 거.
    if (/\p{N}$/u.test(before) && token.length === 1) return []
    const always = fixed.get(token)
    if (always) return always
    const found = known.has(token) ? [token] : headwordsOf(token.normalize('NFD'), stems)
    return found.map((headword) => [headword])
  })
}

function headwordsOf(token: string, stems: ReadonlyMap<string, Stem[]>): string[] {
  for (let end = token.length; end > 0; end--) {
    const rest = token.slice(end)
    const found = stems.get(token.slice(0, end))?.filter(({ tail }) => tail.test(rest)) ?? []
    const lowest = Math.min(...found.map(({ rank }) => rank))
    const likely = found.filter(({ rank }) => rank === lowest)
    if (likely.length > 0) return [...new Set(likely.map(({ headword }) => headword))]
  }
  return []
}

const pronouns = new Set(['나', '너', '저', '이', '그', '우리', '뭐'])

type Add = (stem: string, tail: RegExp, rank?: number) => void

/**
 * The spellings of a verb before endings that begin with a consonant, before those with 으, and
 * before those with 아 or 어. What is irregular may also be regular (굽다 is both), so both count.
 */
function addVerb(stem: string, add: Add): void {
  const cut = stem.slice(0, -1)
  const end = isOpen(stem) ? '' : stem.at(-1)!
  add(stem, tails.consonant)
  if (end === '') add(stem, tails.eu)
  else if (end === final.l) {
    add(stem, tails.eu)
    // Of 갈다 and 가다, 가는 is rarely the first.
    for (const tail of [tails.consonant, tails.eu]) add(cut, tail, 3)
  } else add(`${stem}${eu}`, tails.eu)
  if (end === final.p) for (const vowel of [u, o]) addVowelStem(cut + ieung + vowel, add)
  if (end === final.t) addVowelStem(`${cut}${final.l}${eu}`, add)
  if (end === final.s) addVowelStem(`${cut}${eu}`, add)
  if (end === final.h) {
    add(cut, tails.eu)
    add(cut.slice(0, -1) + (/[\u1163\u1164]$/.test(cut) ? '\u1164' : '\u1162'), tails.a)
  }
  for (const infinitive of infinitives(stem)) add(infinitive, tails.a)
}

function addVowelStem(stem: string, add: Add): void {
  add(stem, tails.eu)
  const regular = stem.endsWith(eu) ? [stem.slice(0, -2)] : [stem]
  for (const infinitive of regular.flatMap(infinitives)) add(infinitive, tails.a)
}

/** The stem with 아 or 어, contracted and not: 가, 와 (and 오아), 마셔, 써, 몰라, 해. */
function infinitives(stem: string): string[] {
  const vowels = stem.match(/[\u1161-\u1175]/g) ?? []
  const link = (vowel = '') => (/[\u1161\u1163\u1169]/.test(vowel) ? a : eo)
  const last = vowels.at(-1)
  const whole = stem + ieung + link(last)
  if (!isOpen(stem)) return [whole]
  const cut = stem.slice(0, -1)
  if (stem.endsWith('하'.normalize('NFD'))) return [`${cut}\u1162`, `${stem}${ieung}\u1167`]
  if (last === '\u1173') {
    const before = link(vowels.at(-2))
    // 르: 몰라, 따라, 이르러. The consonant of the syllable is cut[cut.length - 1].
    if (!cut.endsWith('\u1105')) return [cut + before]
    return [cut + before, `${cut.slice(0, -1)}${final.l}\u1105${before}`, `${stem}\u1105${eo}`]
  }
  const contracted = contractions[last!]
  return contracted === undefined ? [whole] : [whole, cut + contracted]
}

/** A vowel and 아 or 어 in one syllable. */
const contractions: Readonly<Record<string, string>> = {
  '\u1161': '\u1161',
  '\u1165': '\u1165',
  '\u1162': '\u1162',
  '\u1166': '\u1166',
  '\u1167': '\u1167',
  '\u1169': '\u116a',
  '\u116e': '\u116f',
  '\u1175': '\u1167',
  '\u116c': '\u116b',
}

const [ieung, a, eo, o, u] = ['\u110b', '\u1161', '\u1165', '\u1169', '\u116e']
const eu = '\u110b\u1173'
const final = { l: '\u11af', p: '\u11b8', t: '\u11ae', s: '\u11ba', h: '\u11c2' }

function isOpen(jamo: string): boolean {
  return /[\u1161-\u1175]$/.test(jamo)
}

/** Patterns in Hangul, in which ㄴ, ㄹ, ㅁ, ㅂ and ㅆ end the syllable before. */
function jamoOf(pattern: string): string {
  const finals: Record<string, string> = {
    ㄴ: '\u11ab',
    ㄹ: '\u11af',
    ㅁ: '\u11b7',
    ㅂ: '\u11b8',
    ㅆ: '\u11bb',
  }
  return pattern.normalize('NFD').replace(/[ㄴㄹㅁㅂㅆ]/g, (letter) => finals[letter]!)
}

/**
 * What may follow a stem: particles behind a noun, which differ behind vowels, ㄹ and other
 * consonants, and the endings of verbs. `X` is anything: further endings, or another verb.
 */
function makeTails() {
  const plain =
    '의|에|에서|에게|에게서|엔|에겐|에선|한테|한테서|께|께서|도|만|부터|까지|처럼|보다|마다|조차|밖에|만큼|만큼은|대로|뿐|같이|하고|씩|쯤|커녕|요|들|님|째|끼리|마저|치고|에다|에다가|이든지|든지'
  const behindVowel =
    '는|가|를|와|로|로서|로써|로부터|나|랑|란|라|라고|라는|라도|라면|며|야|예요|여서|였P|이었P'
  const behindConsonant = '은|이|을|과|으로|으로서|으로써|으로부터|이나|이랑|이란|이라도|아'
  const copula =
    '이(?:C|E)|이에요|이었P|이야|이여|이라(?:고X|는X|면X|도|서|)|(?:ㅂ니다|ㅂ니까|다|지만|죠|네요|고요)'
  const derived =
    '적(?:인|이고|이며|이다|으로|으로는|이X|)|(?:하|되|시키|당하|받|드리)(?:C|E)|(?:해|되어|돼|시켜|받아|당해)A|(?:한|할|함|합|된|될|됨|됩)(?:E|X)'
  const past = '(?:C|어(?:요|서|도|야|라|)|으(?:ㄴX|ㄹX|면X|며|니|니까|나|ㅁ(?:N|)|리X|려X|셨X|시X|므로))'
  const consonant = `고(?:요|는|도|서|서는|나서|있X|싶X|자|)|게(?:요|는|도|끔|되X|됐X|하X|해X|)|지(?:요|만|만요|는|도|를|않X|못X|마X|말X|)|죠|기(?:N|)|거나|거든X|길|긴|네(?:요|)|니|니까|냐X|자(?:고|마자|는|)|다(?:가|가는|고X|는|면|면서|며|니|던|만|거나|시피|)|던(?:데X|가|지|)|든(?:지|가|)|도록|구나|구요|군(?:요|)|는(?:데X|지X|가X|다X|구나|군요|걸X|)|느라X|소|습니다X|습니까|잖아X|겠P|더라X|더니|나(?:요|)|재|랴`
  const withEu = `ㄴ(?:데X|지X|가X|다X|걸X|들|)|ㄹ(?:까X|게X|래X|지X|수록|걸X|려X|뿐X|텐데X|만X|때X|)|ㅁ(?:N|)|ㅂ(?:니다X|니까|시다|시오|니X)|면(?:서X|은|요|)|며|니(?:까X|)|나(?:요|)|러|려(?:고X|는|면|다X|)|리X|시(?:C|면X|니X|는X|ㄴX|ㄹX|ㅂX|어X|며)|세X|셔X|셨P|십X|라(?:고X|는|면|)|므로|오`
  const infinitive = `(?:요|서|서요|서는|서도|선|도|야|야만|야지|야죠|야겠X|라|라고|라도|)|ㅆP|(?:주|줘|줬|줄|준|줍|보|봐|봤|볼|본|봅|버|놓|놨|놔|두|둬|뒀|둔|지|져|졌|질|진|집|짐|있|내|냈|가|갔|갈|간|오|왔|온|올|나|낸|낼|드)X`
  const fill = (pattern: string): string =>
    pattern
      .replace(/P/g, () => past)
      .replace(/A/g, () => `(?:${infinitive})`)
      .replace(/P/g, () => past)
      .replace(/C/g, () => `(?:${consonant})`)
      .replace(/E/g, () => `(?:${withEu})`)
      .replace(/P/g, () => '(?:어X|다X|던X|습X|고X|지X|는X|네X|기X|으X|겠X|거X|나X|더X|을X|음X|)')
      .replace(/N/g, () => `(?:${plain}|${behindVowel}|${behindConsonant})X`)
      .replace(/P/g, () => 'X')
      .replace(/X/g, () => '[\\u1100-\\u11ff]*')
  const tail = (pattern: string) => new RegExp(jamoOf(`^(?:${fill(pattern)})$`))
  const noun = (first: string) =>
    tail(
      `(?:들)?(?:|(?:${first}|${plain})(?:${plain}|${behindVowel}|${behindConsonant})*|${copula}|${derived})`,
    )
  return {
    openNoun: noun(behindVowel),
    lNoun: noun(`${behindConsonant}|로|로서|로써|로부터`),
    closedNoun: noun(behindConsonant),
    consonant: tail(consonant),
    eu: tail(withEu),
    a: tail(infinitive),
  }
}

const tails = makeTails()
