import { Converter } from 'opencc-js'
import { pinyin } from 'pinyin-pro'

type Convert = (text: string) => string

/** Made once they are needed: their dictionaries take a tenth of a second. */
let converters: Convert[] | undefined

/**
 * Pinyin with tone marks, with tone numbers and without tones: in one piece, in one piece with
 * apostrophes as in dictionaries, and with spaces between syllables. ü is also written as v, and
 * the neutral tone as 5, as 0 or not at all.
 *
 *     pinyinOf('吗') // ['ma', 'ma0', 'ma5']
 */
export function pinyinOf(text: string): string[] {
  const [withMarks, plain, withNumbers] = (['symbol', 'none', 'num'] as const).map((toneType) =>
    joinSyllables(pinyin(text, { toneType, type: 'array' })),
  ) as [string[], string[], string[]]
  const neutral = ['0', '5', ''].flatMap((tone) =>
    withNumbers.map((spelling) => spelling.replaceAll('0', tone)),
  )
  const withoutMarks = [...plain, ...neutral]
  return [
    ...new Set([
      ...withMarks,
      ...withoutMarks,
      ...withoutMarks.map((spelling) => spelling.replaceAll('ü', 'v')),
    ]),
  ]
}

function joinSyllables(syllables: readonly string[]): string[] {
  return [syllables.join(''), withApostrophes(syllables), syllables.join(' ')]
}

/** An apostrophe separates a syllable that begins with a vowel from the one before. */
function withApostrophes(syllables: readonly string[]): string {
  return syllables
    .map((syllable, i) => (i > 0 && /^[aoe]/.test(syllable.normalize('NFD')) ? `'${syllable}` : syllable))
    .join('')
}

/**
 * The text in the other Chinese script; nothing if both are the same.
 *
 *     otherScript('学习') // ['學習']
 */
export function otherScript(text: string): string[] {
  converters ??= [Converter({ from: 'cn', to: 't' }), Converter({ from: 't', to: 'cn' })]
  return converters.map((convert) => convert(text)).filter((other) => other !== text)
}
