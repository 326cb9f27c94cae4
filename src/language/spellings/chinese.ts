import { Converter } from 'opencc-js'
import { pinyin } from 'pinyin-pro'

const toTraditional = Converter({ from: 'cn', to: 't' })
const toSimplified = Converter({ from: 't', to: 'cn' })

/**
 * Pinyin with and without tones: in one piece with apostrophes as in dictionaries, in one piece
 * without them, and with spaces between syllables.
 *
 *     pinyinOf('西安') // ['xīān', "xī'ān", 'xī ān', 'xian', "xi'an", 'xi an']
 */
export function pinyinOf(text: string): string[] {
  const spellings = (['symbol', 'none'] as const).flatMap((toneType) => {
    const syllables = pinyin(text, { toneType, type: 'array' })
    return [syllables.join(''), inOnePiece(syllables), syllables.join(' ')]
  })
  return [...new Set(spellings)]
}

/** An apostrophe separates a syllable that begins with a vowel from the one before. */
function inOnePiece(syllables: readonly string[]): string {
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
  return [toTraditional(text), toSimplified(text)].filter((other) => other !== text)
}
