import type { TokenAnalyser, Vocabulary } from './analyser.ts'
import { byToken } from './by-token.ts'
import { readPatterns } from './data-file.ts'
import { readRules } from './inflection-rules.ts'
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
 * endings. It works with jamo (NFD), because endings begin within a syllable: 가다, 간다. The
 * spellings of a stem are made by rules/ko.txt. What is irregular may also be regular (굽다 is
 * both), so both count.
 */
export function openKorean({ headwords }: Vocabulary): TokenAnalyser {
  const stems = new Map<string, Stem[]>()
  for (const headword of headwords) {
    const sets = rules({ word: [headword.normalize('NFD')] })
    for (const { set, rank, tail } of kinds)
      for (const stem of sets[set] ?? [])
        stems.getOrInsertComputed(stem, () => []).push({ headword, tail, rank: rank(headword) })
  }
  const fixed = fixedForms(readListed('ko'))
  const known = new Set(headwords)
  return byToken('ko', (token, { before }) => {
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
/** A noun of one syllable is rarer than a verb, but for pronouns: 가는 is 가다, 나는 is 나. */
const nounRank = (headword: string) => (headword.length > 1 || pronouns.has(headword) ? 0 : 2)
const verbRank = () => 1
/** Of 갈다 and 가다, 가는 is rarely the first. */
const cutRank = () => 3

/**
 * Text with the final consonants and vowels that are written alone (ㄹ, ㅏ) as jamo of a syllable.
 * X is any jamo.
 */
function toJamo(text: string): string {
  return text
    .replaceAll('X', '[\\u1100-\\u11ff]*')
    .normalize('NFD')
    .replace(/[ㄴㄷㄹㅁㅂㅅㅆㅎ]/g, (letter) => finals.jamo[finals.written.indexOf(letter)]!)
    .replace(/[ㅏ-ㅣ]/g, (vowel) => String.fromCharCode(vowel.charCodeAt(0) - 0x314f + 0x1161))
}

/** The consonants that end a syllable, alone and as jamo. */
const finals = { written: 'ㄴㄷㄹㅁㅂㅅㅆㅎ', jamo: '\u11ab\u11ae\u11af\u11b7\u11b8\u11ba\u11bb\u11c2' }

const rules = readRules('rules/ko.txt', toJamo)
const endings = readPatterns('korean-endings.txt')

/** The sets of stems in rules/ko.txt, with what may follow them in korean-endings.txt. */
const kinds = [
  { set: 'openNoun', endings: 'openNoun', rank: nounRank },
  { set: 'lNoun', endings: 'lNoun', rank: nounRank },
  { set: 'closedNoun', endings: 'closedNoun', rank: nounRank },
  { set: 'consonant', endings: 'consonant', rank: verbRank },
  { set: 'eu', endings: 'eu', rank: verbRank },
  { set: 'a', endings: 'a', rank: verbRank },
  { set: 'cut', endings: 'consonant', rank: cutRank },
  { set: 'cut', endings: 'eu', rank: cutRank },
].map((kind) => ({ ...kind, tail: new RegExp(`^(?:${toJamo(endings(kind.endings))})$`) }))
