import { toHiragana } from '../folds.ts'

/** The endings of a verb that are written in katakana after its kanji: 行ッテ, 飲ンデ, 食ベマス. */
const katakanaEnding =
  /(?<=\p{Script=Han})(?:[ッン][タテダデ]|[ベメケゲセテネレエ]?(?:ル|タ|テ|ナイ)|[イキギシジチニビミリベメケゲセテネレエ]?(?:マス|マシタ|マセン|タイ))(?![\p{Script=Katakana}ー])/gu
/** The ッ of a verb that starts in katakana: テンパッた. */
const smallTsu = /(?<=\p{Script=Katakana})ッ(?=[たてちと])/gu
const longVowel = /(?<=\p{Script=Hiragana})ー/gu

/** The vowels that a long vowel mark may stand for, after the kana of each row. */
const vowels: readonly [row: RegExp, vowel: string, other: string][] = [
  [/[あかがさざただなはばぱまゃやらわ]/, 'あ', 'あ'],
  [/[いきぎしじちぢにひびぴみり]/, 'い', 'い'],
  [/[うくぐすずつづぬふぶぷむゅゆる]/, 'う', 'う'],
  [/[えけげせぜてでねへべぺめれ]/, 'い', 'え'],
  [/お/, 'お', 'う'],
  [/[こごそぞとどのほぼぽもょよろ]/, 'う', 'お'],
]

/**
 * Returns a text with the endings of verbs in hiragana, as in dictionaries.
 *
 *     withHiraganaEndings('飲ンデ') // '飲んで'
 */
export function withHiraganaEndings(text: string): string {
  return text.replace(katakanaEnding, toHiragana).replace(smallTsu, 'っ')
}

/**
 * Returns the positions of the long vowel marks after hiragana in a text, each with the vowels that
 * it may stand for.
 *
 *     longVowelsIn('とーい') // [{ at: 1, vowels: ['う', 'お'] }]
 */
export function longVowelsIn(text: string): { at: number; vowels: string[] }[] {
  return Array.from(text.matchAll(longVowel), ({ index }) => {
    const row = vowels.find(([kana]) => kana.test(text.charAt(index - 1)))
    return { at: index, vowels: row ? [row[1], row[2]] : [] }
  })
}

/**
 * Returns the spellings of a word without its long vowel marks after hiragana.
 *
 *     withoutLongVowels('とーきょー') // ['とうきょう', 'とうきょお', 'とおきょう', 'とおきょお']
 */
export function withoutLongVowels(word: string): string[] {
  return longVowelsIn(word).reduce(
    (spellings, { at, vowels: choices }) =>
      spellings.flatMap((spelling) => choices.map((vowel) => replaceAt(spelling, at, vowel))),
    longVowelsIn(word).length > 0 ? [word] : [],
  )
}

/** Replaces one character of a text. */
export function replaceAt(text: string, at: number, character: string): string {
  return text.slice(0, at) + character + text.slice(at + 1)
}
