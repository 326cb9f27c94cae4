/**
 * The spellings that a learner may type for a word besides its headword (contract 1.6): "the listed
 * forms, the forms under which the word is indexed in the clips of the release, kana readings and
 * their romanisation in Hepburn with its usual variants (ja), pinyin with tone marks, tone numbers
 * and without tones, v for ü, and the other Chinese script (zh)".
 */
import { Converter } from 'opencc-js'
import { pinyin } from 'pinyin-pro'
import { isKana, toRomaji } from 'wanakana'
import { foldForSearch, nfc } from './spelling.ts'

/**
 * "Katakana counts as hiragana, full width as half width (NFKC), hyphen as space, œ as oe, æ as ae,
 * ß as ss …, and in Turkish ı as i"
 */
function foldTyped(text: string, language: string): string {
  const folded = foldForSearch(text.normalize('NFKC'), language)
  const letters = [...folded].map((sign) => {
    if (sign >= 'ァ' && sign <= 'ヶ') return String.fromCodePoint(sign.codePointAt(0)! - 0x60)
    if (sign === 'ı' && language === 'tr') return 'i'
    return { œ: 'oe', æ: 'ae', ß: 'ss' }[sign] ?? sign
  })
  return letters.join('').replace(/[-‐‑\s]+/gu, ' ')
}

/** "in German ä, ö, ü also as ae, oe, ue" */
export function foldsTyped(text: string, language: string): string[] {
  if (language !== 'de') return [foldTyped(text, language)]
  const spelledOut = [...nfc(text).normalize('NFKC')].map((letter) =>
    'äöüÄÖÜ'.includes(letter) ? `${letter}e` : letter,
  )
  return [foldTyped(text, language), foldTyped(spelledOut.join(''), language)]
}

const scripts = [Converter({ from: 'cn', to: 't' }), Converter({ from: 't', to: 'cn' })]

/**
 * Returns all spellings of a word, given its forms. "With ı as i the headword itself can be that
 * spelling", and likewise with whatever else is folded further than in a search.
 */
export function typedSpellings(headword: string, forms: string[], language: string): string[] {
  const word = nfc(headword)
  return [...forms, word, ...romanised(word, forms, language)]
}

function romanised(word: string, forms: string[], language: string): string[] {
  if (language === 'ja') return [word, ...forms].filter((text) => isKana(text)).flatMap(hepburn)
  if (language !== 'zh') return []
  const spoken = (['symbol', 'none', 'num'] as const).flatMap((toneType) => {
    const [first = '', ...others] = pinyin(word, { toneType, type: 'array' })
    const apostrophes = others.map((syllable) =>
      /^[aoe]/.test(syllable.normalize('NFD')) ? `'${syllable}` : syllable,
    )
    return [first + others.join(''), first + apostrophes.join(''), [first, ...others].join(' ')]
  })
  const neutral = spoken.flatMap((spelling) => [
    spelling,
    spelling.replaceAll('0', '5'),
    spelling.replaceAll('0', ''),
  ])
  const withV = neutral.map((spelling) => spelling.replaceAll('ü', 'v'))
  return [...neutral, ...withV, ...scripts.map((convert) => convert(word)).filter((text) => text !== word)]
}

/** Returns each of the variants, and every combination of them. */
function hepburn(kana: string): string[] {
  const all = [toRomaji(kana)]
  const add = (variant: (spelling: string) => string) => all.push(...all.map(variant))
  add((spelling) => spelling.replace(/aa|ii|uu|ee|oo|ou/g, (long) => long[0]!))
  add((spelling) => spelling.replace(/n([bmp])/g, 'm$1'))
  add((spelling) => spelling.replaceAll("'", ''))
  add((spelling) =>
    spelling.length > 2 && spelling.endsWith('ha') ? `${spelling.slice(0, -2)}wa` : spelling,
  )
  return all
}

/**
 * Returns the best spelling that matches, and whether it equals `q`; null if none does. "of
 * several: one that equals `q` first, then the shorter, then by code point"
 */
export function bestTyped(
  q: string,
  spellings: string[],
  language: string,
): { isEqual: boolean; spelling: string } | null {
  const sought = foldsTyped(q, language).filter((folded) => folded !== '')
  const found = spellings.flatMap((spelling) => {
    const folds = foldsTyped(spelling, language)
    const isEqual = folds.some((folded) => sought.includes(folded))
    const begins = sought.some((text) => folds.some((folded) => folded.startsWith(text)))
    return begins ? [{ spelling, isEqual }] : []
  })
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
