import type { TokenAnalyser, Vocabulary } from './analyser.ts'
import { byToken } from './by-token.ts'
import { fixedForms } from './open-lexicon.ts'
import { Stems, type Reading } from './stems.ts'

/**
 * The Korean analyser: a token is the word whose stem is the longest that leaves particles or
 * endings. It works with jamo (NFD), because endings start within a syllable: 가다, 간다. An irregular
 * verb may also be regular (굽다 is both), so both are tried.
 */
export function openKorean({ headwords }: Vocabulary): TokenAnalyser {
  const stems = new Stems('ko', toJamo)
  for (const headword of headwords) stems.add(headword.normalize('NFD'), headword)
  const fixed = fixedForms('ko')
  const known = new Set(headwords)
  return byToken('ko', (text, { before }) => {
    const token = text.normalize('NFC')
    // A counter follows a number as a whole: 3건 does not contain 거.
    if (/\p{N}$/u.test(before) && token.length === 1) return []
    const always = fixed.get(token)
    if (always) return always
    const matches = known.has(token) ? [token] : headwordsOf(token.normalize('NFD'), stems)
    return matches.map((headword) => [headword])
  })
}

function headwordsOf(token: string, stems: Stems): string[] {
  const longest = stems.readingsOf(token).find((readings) => readings.length > 0) ?? []
  const lowest = Math.min(...longest.map(rankOf))
  const likely = longest.filter((reading) => rankOf(reading) === lowest)
  return [...new Set(likely.map(({ headword }) => headword!))]
}

const pronouns = new Set(['나', '너', '저', '이', '그', '우리', '뭐'])

/**
 * Of stems of the same length, those of the lowest rank count. A noun of one syllable is rarer than
 * a verb, except for pronouns: 가는 is 가다, 나는 is 나. 가는 is rarely 갈다, and usually 가다.
 */
function rankOf({ set, headword }: Reading): number {
  if (set === 'cut') return 3
  if (!set.endsWith('Noun')) return 1
  return headword!.length > 1 || pronouns.has(headword!) ? 0 : 2
}

/** Returns text in jamo, with separately written ones (ㄹ, ㅏ) as final consonants and vowels. */
function toJamo(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[ㄴㄷㄹㅁㅂㅅㅆㅎ]/g, (letter) => finals.jamo[finals.written.indexOf(letter)]!)
    .replace(/[ㅏ-ㅣ]/g, (vowel) => String.fromCharCode(vowel.charCodeAt(0) - 0x314f + 0x1161))
}

/** The consonants that end a syllable, as separate letters and as jamo. */
const finals = { written: 'ㄴㄷㄹㅁㅂㅅㅆㅎ', jamo: '\u11ab\u11ae\u11af\u11b7\u11b8\u11ba\u11bb\u11c2' }
