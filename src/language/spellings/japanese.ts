import { isKana, toRomaji } from 'wanakana'

/** Variants of Hepburn romanisation. Each applies to a whole word or not at all. */
const variants: readonly [RegExp, string][] = [
  // Long vowels as short ones; with macrons, folding makes them the same.
  [/([aeiou])\1|(?<=o)u/g, '$1'],
  // shimbun
  [/n(?=[bmp])/g, 'm'],
  // shinichi
  [/'/g, ''],
  // konnichiwa
  [/(?<=.)ha$/, 'wa'],
]

/**
 * Returns kana in Latin letters, in the usual variants of Hepburn; none for a text with kanji,
 * whose reading is unknown.
 *
 *     romajiOf('とうきょう') // ['toukyou', 'tokyo']
 */
export function romajiOf(text: string): string[] {
  if (!isKana(text)) return []
  const spellings = variants.reduce(
    (known, [pattern, other]) => known.flatMap((spelling) => [spelling, spelling.replace(pattern, other)]),
    [toRomaji(text)],
  )
  return [...new Set(spellings)]
}
