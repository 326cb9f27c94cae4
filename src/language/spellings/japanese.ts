import { isKana, toRomaji } from 'wanakana'

/**
 * Kana in Latin letters; nothing for a text with kanji, whose reading kana do not show.
 *
 *     romajiOf('たべる') // ['taberu']
 */
export function romajiOf(text: string): string[] {
  return isKana(text) ? [toRomaji(text)] : []
}
