import { Converter } from 'opencc-js'
import { pinyin } from 'pinyin-pro'

const toTraditional = Converter({ from: 'cn', to: 't' })
const toSimplified = Converter({ from: 't', to: 'cn' })

/**
 * Pinyin with tones and without: in one piece as in dictionaries (xuéxí, xī'ān), without the
 * apostrophe, and syllable by syllable (xué xí).
 */
export function pinyinOf(text: string): string[] {
  const spellings = (['symbol', 'none'] as const).flatMap((toneType) => {
    const syllables = pinyin(text, { toneType, type: 'array' })
    return [syllables.join(''), inOnePiece(syllables), syllables.join(' ')]
  })
  return [...new Set(spellings)]
}

/** An apostrophe keeps a syllable that begins with a vowel apart from the one before. */
function inOnePiece(syllables: readonly string[]): string {
  return syllables
    .map((syllable, i) => (i > 0 && /^[aoe]/.test(syllable.normalize('NFD')) ? `'${syllable}` : syllable))
    .join('')
}

/** The text in the script that it is not written in; nothing where both are the same. */
export function otherScript(text: string): string[] {
  return [toTraditional(text), toSimplified(text)].filter((other) => other !== text)
}
