import { Converter } from 'opencc-js'
import { pinyin } from 'pinyin-pro'

const toTraditional = Converter({ from: 'cn', to: 't' })
const toSimplified = Converter({ from: 't', to: 'cn' })

/** Pinyin with tones and without, in one piece: xuéxí, xuexi. */
export function pinyinOf(text: string): string[] {
  const syllables = (toneType: 'symbol' | 'none') => pinyin(text, { toneType, type: 'array' }).join('')
  return [syllables('symbol'), syllables('none')]
}

/** The text in the script that it is not written in; nothing where both are the same. */
export function otherScript(text: string): string[] {
  return [toTraditional(text), toSimplified(text)].filter((other) => other !== text)
}
