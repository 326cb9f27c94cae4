import { Converter } from 'opencc-js'
import { pinyin } from 'pinyin-pro'

type Convert = (text: string) => string

/** Created when needed: their dictionaries take a tenth of a second or more to load. */
const converters = new Map<'cn' | 't', Convert>()

function convert(text: string, to: 'cn' | 't'): string {
  // The Taiwanese standard also changes 著 to 着.
  const make = () => Converter(to === 'cn' ? { from: 'tw', to } : { from: 'cn', to })
  return converters.getOrInsertComputed(to, make)(text)
}

/**
 * Characters of OpenCC's standard, with their variants in Taiwan, and in Hong Kong. OpenCC's own
 * converters take seconds to load.
 */
const regional = [
  '裏裡 爲為 羣群 喫吃 麪麵 衆眾 着著 峯峰 牀床 啓啟 僞偽 污汙 脣唇 鍼針 纔才 癡痴 祕秘 樑梁 鮎鯰',
  '臺台 爲為 喫吃 衆眾 說説 戶户 脫脱 溫温 稅税 閱閲 衛衞 悅悦 蔥葱 銳鋭 臥卧 敘敍 鉤鈎 兌兑 僞偽 脣唇 鍼針 纔才 癡痴 祕秘',
].map((pairs) => new Map(pairs.split(' ').map(([from, to]) => [from!, to!])))

/** Returns a text in traditional Chinese, by the standards of OpenCC, Taiwan and Hong Kong. */
function traditional(text: string): [string, ...string[]] {
  const standard = convert(text, 't')
  return [
    standard,
    ...regional.map((pairs) => standard.replace(/./gu, (character) => pairs.get(character) ?? character)),
  ]
}

/**
 * Returns pinyin with tone marks, with tone numbers and without tones: joined, joined with
 * apostrophes as in dictionaries, and with spaces between syllables. ü is also written as v, and
 * the neutral tone as 5, as 0 or not at all.
 *
 *     pinyinOf('吗') // ['ma', 'ma0', 'ma5']
 */
export function pinyinOf(text: string): string[] {
  const [withMarks, plain, withNumbers] = (['symbol', 'none', 'num'] as const).map((toneType) => {
    const syllables = pinyin(text, { toneType, type: 'array' })
    return [syllables.join(''), withApostrophes(syllables), syllables.join(' ')]
  }) as [string[], string[], string[]]
  const neutral = ['0', '5', ''].flatMap((tone) =>
    withNumbers.map((spelling) => spelling.replaceAll('0', tone)),
  )
  const withoutMarks = [...plain, ...neutral]
  const withV = withoutMarks.map((spelling) => spelling.replaceAll('ü', 'v'))
  return [...new Set([...withMarks, ...withoutMarks, ...withV])]
}

/** An apostrophe separates a syllable that starts with a vowel from the previous one. */
function withApostrophes(syllables: readonly string[]): string {
  return syllables
    .map((syllable, i) => (i > 0 && /^[aoe]/.test(syllable.normalize('NFD')) ? `'${syllable}` : syllable))
    .join('')
}

/**
 * Returns the spellings of a text in the other Chinese script; none if it is the same in both.
 *
 *     otherScript('学习') // ['學習']
 *     otherScript('里') // ['裏', '裡']
 */
export function otherScript(text: string): string[] {
  const spellings = new Set([...traditional(text), convert(text, 'cn')])
  return [...spellings].filter((other) => other !== text)
}

/** Characters of traditional Chinese that OpenCC does not convert. */
const others: Readonly<Record<string, string>> = { 妳: '你', 牠: '它', 祂: '他' }
/** Frequent characters that only simplified Chinese has. */
const onlySimplified =
  /[这们说时对会过发还学样为么问见动现开让给从话吗头点经长应该实关两爱书车东妈谁谢请认难听读写买钱岁间国来]/

/**
 * Returns a function that converts texts to the script of some words: to simplified Chinese, or to
 * the standard of traditional Chinese that most of them use. A text in that script does not change.
 *
 *     toScriptOf(['图书馆'])('圖書館') // '图书馆'
 */
export function toScriptOf(words: readonly string[]): Convert {
  const simplify = (text: string) =>
    convert(text, 'cn').replace(/[妳牠祂]/g, (character) => others[character]!)
  const traditionalWords = words.filter((word) => convert(word, 'cn') !== word)
  if (traditionalWords.length * 20 < words.length)
    return (text) => (onlySimplified.test(text) ? text : simplify(text))
  const sameWords = [0, 1, 2].map(
    (standard) => traditionalWords.filter((word) => traditional(simplify(word))[standard] === word).length,
  )
  const standard = sameWords.indexOf(Math.max(...sameWords))
  return (text) => (simplify(text) === text ? traditional(text)[standard]! : text)
}
