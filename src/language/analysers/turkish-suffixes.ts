import type { Kind } from './turkish-roots.ts'

const vowel = '[aeıioöuü]'
const afterVowel = `(?<=${vowel})`
const afterConsonant = `(?<!${vowel})`

/**
 * Suffixes are written with their sounds by class: harmony makes A a or e, and I ı, i, u or ü; D is
 * d or t, C is c or ç, K is k or, before a vowel, ğ. Y, S and N stand between two vowels only; J is
 * an I that falls away behind a vowel, V an A or I that does.
 */
const classes: Record<string, string> = {
  A: '[ae]',
  I: '[ıiuü]',
  D: '[dt]',
  C: '[cç]',
  K: '[kğ]',
  Y: `(?:${afterVowel}y|${afterConsonant})`,
  S: `(?:${afterVowel}s|${afterConsonant})`,
  N: `(?:${afterVowel}n|${afterConsonant})`,
  J: `(?:${afterVowel}|${afterConsonant}[ıiuü])`,
  V: `(?:${afterVowel}|${afterConsonant}[aeıiuü])`,
}

/** Matches the last letter of a stem and the chain of suffixes behind it. */
function chain(pattern: string): RegExp {
  return new RegExp(`^.(?:${pattern.replace(/[ADICKYSNJV]/g, (letter) => classes[letter]!)})$`, 'u')
}

const possessive = '(?:Jm|Jn|SI|JmJz|JnJz|lArI)'
const nounCase = '(?:(?:Y|N)(?:I|A)|n?DAn?|NIn|YlA)'
const copula =
  '(?:DIr(?:lAr)?|YDI(?:m|n|k|nIz|lAr)?|YmIş(?:Im|sIn|Iz|lAr)?|YsA(?:m|n|k|nIz|lAr)?|Yken|YIm|sIn|YIz|sInIz)'
const nominal = `(?:lAr)?${possessive}?${nounCase}?(?:k[iü](?:lAr)?(?:n?${nounCase})?)?${copula}?`

const voice = `(?:Jn|Il|Jş|DIr|[ıiuüae]r|${afterVowel}t|(?<=[lr])t)*`
const ability = '(?:YAbil|YAmA|YAm[ıiuü](?=yor))?'
const person = '(?:m|n|k|YIm|YIz|nIz|sIn|sInIz|lAr)?'
const tense = '(?:Jyor|YAcAK|DI|mIş|Vr|z|mAktA|mAlI|sA|sIn|YIn|YAyIm|YAlIm)'
const later = '(?:(?:YDI|YmIş|YsA|DIr)(?:m|n|k|YIm|sIn|YIz|nIz|sInIz|lAr)?)?'
const finite = `${tense}${person}${later}(?:lAr)?`
const participle = `(?:YAn|DIK|YAcAK|mIş|mA|mAK|YIş|Vr|mAz)${nominal}`
const converb =
  '(?:YIp|YArAK|YIncA(?:yA)?|mAdAn|DIkçA|DIğIncA|YAlI|mAksIzIn|(?:Vr|z|Jyor|mIş|YAcAk)ken|CAsInA)'
const negative = '(?:mA|m[ıiuü](?=yor))'

/** yapmam, yapmayız; with the ability, its own negation is before them: yapamam. */
const refusal = 'mA(?:m|yIz)'
const impossible = 'YAmA(?:m|yIz)'

const chains: Record<Kind, RegExp | null> = {
  noun: chain(nominal),
  verb: chain(
    `|${voice}${ability}(?:${negative}?(?:${finite}|${participle}|${converb})|${negative}|${refusal})|${voice}${impossible}`,
  ),
  particle: null,
}

/** Whether a stem may be followed by nothing, or by this chain of suffixes in vowel harmony. */
export function isSuffixed(stem: string, rest: string, kind: Kind, isInverse: boolean): boolean {
  if (rest === '') return true
  if (!chains[kind]?.test(stem.at(-1)! + rest)) return false
  const last = vowelsOf(stem).at(-1)
  if (last === undefined || isInHarmony(last, rest)) return true
  return isInverse && isInHarmony(frontOf[last] ?? last, rest)
}

const back = 'aıou'
const rounded = 'oöuü'
const high = 'ıiuü'
const frontOf: Record<string, string> = { a: 'e', ı: 'i', o: 'ö', u: 'ü' }

/**
 * Whether each vowel of the suffixes is back or front as the one before, and high vowels are
 * rounded as it is. -yor, -ken, -ki and -bil keep their own vowels.
 */
function isInHarmony(lastOfStem: string, rest: string): boolean {
  let last = lastOfStem
  for (const part of rest.split(/(yor|ken|ki|bil)/)) {
    const isFixed = /^(?:yor|ken|ki|bil)$/.test(part)
    for (const next of vowelsOf(part)) {
      if (!isFixed && back.includes(next) !== back.includes(last)) return false
      if (!isFixed && high.includes(next) && rounded.includes(next) !== rounded.includes(last)) return false
      last = next
    }
  }
  return true
}

function vowelsOf(text: string): string[] {
  return text.match(/[aeıioöuü]/g) ?? []
}
