import { isKana, toRomaji } from 'wanakana'

/**
 * How kana are written in Latin letters; nothing for a text with kanji, of which they do not tell
 * the reading.
 */
export function romajiOf(text: string): string[] {
  return isKana(text) ? [toRomaji(text)] : []
}
