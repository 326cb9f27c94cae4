import { isKana, toRomaji } from 'wanakana'

/** What writers of Hepburn do differently. Each applies to a whole word or not at all. */
const variants: readonly [RegExp, string][] = [
  // Long vowels as short ones; with macrons they are folded to the same.
  [/([aeiou])\1|(?<=o)u/g, '$1'],
  // shimbun
  [/n(?=[bmp])/g, 'm'],
  // shinichi
  [/'/g, ''],
  // konnichiwa
  [/(?<=.)ha$/, 'wa'],
]

/**
 * Kana in Latin letters, in the usual variants of Hepburn; nothing for a text with kanji, whose
 * reading kana do not show.
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
