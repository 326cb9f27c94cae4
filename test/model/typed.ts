/**
 * What a learner may type for a word besides its headword (contract 1.6): "the listed forms, kana
 * readings and their romanisation (ja), pinyin with and without tones and the other Chinese script
 * (zh)".
 */
import { Converter } from 'opencc-js'
import { pinyin } from 'pinyin-pro'
import { isKana, toRomaji } from 'wanakana'
import { foldForSearch, nfc } from './spelling.ts'

/** "Katakana counts as hiragana, full width as half width (NFKC), and in Turkish ı as i" */
export function foldTyped(text: string, language: string): string {
  const folded = foldForSearch(text.normalize('NFKC'), language)
  const hiragana = [...folded].map((sign) =>
    sign >= 'ァ' && sign <= 'ヶ' ? String.fromCodePoint(sign.codePointAt(0)! - 0x60) : sign,
  )
  return language === 'tr' ? hiragana.join('').replace(/ı/gu, 'i') : hiragana.join('')
}

const scripts = [Converter({ from: 'cn', to: 't' }), Converter({ from: 't', to: 'cn' })]

/**
 * All other spellings of a word, given its forms. "With ı as i the headword itself can be that
 * spelling", and likewise with katakana as hiragana and full width as half width.
 */
export function typedSpellings(headword: string, forms: string[], language: string): string[] {
  const word = nfc(headword)
  return [...forms, word, ...romanised(word, forms, language)]
}

/**
 * The spellings that a path may name a word by: as `typedSpellings`, but its headword only where it
 * folds further than in a search.
 */
export function pathSpellings(headword: string, forms: string[], language: string): string[] {
  const word = nfc(headword)
  const own = foldTyped(word, language) === foldForSearch(word, language) ? [] : [word]
  return [...forms, ...own, ...romanised(word, forms, language)]
}

function romanised(word: string, forms: string[], language: string): string[] {
  if (language === 'ja') return [word, ...forms].filter((text) => isKana(text)).map((text) => toRomaji(text))
  if (language !== 'zh') return []
  const spoken = (['symbol', 'none'] as const).flatMap((toneType) => {
    const [first = '', ...others] = pinyin(word, { toneType, type: 'array' })
    const apostrophes = others.map((syllable) =>
      /^[aoe]/.test(syllable.normalize('NFD')) ? `'${syllable}` : syllable,
    )
    return [first + others.join(''), first + apostrophes.join(''), [first, ...others].join(' ')]
  })
  return [...spoken, ...scripts.map((convert) => convert(word)).filter((text) => text !== word)]
}

/**
 * The best spelling that matches, and whether it equals `q`; null where none does. "of several: one
 * that equals `q` first, then the shorter, then by code point"
 */
export function bestTyped(
  q: string,
  spellings: string[],
  language: string,
): { isEqual: boolean; spelling: string } | null {
  const sought = foldTyped(q, language)
  if (sought === '') return null
  const found = spellings
    .map((spelling) => ({ spelling, folded: foldTyped(spelling, language) }))
    .filter(({ folded }) => folded.startsWith(sought))
    .map(({ spelling, folded }) => ({ spelling, isEqual: folded === sought }))
  found.sort(
    (a, b) =>
      Number(b.isEqual) - Number(a.isEqual) ||
      [...a.spelling].length - [...b.spelling].length ||
      byCodePoint(a.spelling, b.spelling),
  )
  return found[0] ?? null
}

export function byCodePoint(a: string, b: string): number {
  const [these, those] = [[...a], [...b]]
  for (let i = 0; i < Math.min(these.length, those.length); i++)
    if (these[i] !== those[i]) return these[i]!.codePointAt(0)! - those[i]!.codePointAt(0)!
  return these.length - those.length
}
