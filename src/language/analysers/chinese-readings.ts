import { segment } from '../segment.ts'
import { readLists } from './data-file.ts'

const isIn = readLists('chinese-words.txt')

/** 教 as a verb of its own, which is not read as in 教育 and 请教. */
const teach =
  /(?<![宗佛请請任助家指说說管受基回道])教(?![育师師授室会會堂练練材训訓导導程养養皇父案务務员員职職条條科徒]|[学學](?!生))/g
/** 得 between a verb and its complement. */
const complement = /(?<=\p{Script=Han})(?<![获獲取赢贏夺奪所难難])得(?=[很太越真好久多快慢早晚更最非])/gu
/** 地 after doubled characters, or after the first four of a clause, which are often an idiom. */
const adverb = /(?:(\p{Script=Han})\1|(?<!\p{Script=Han})\p{Script=Han}{4})地/gu
/** Matches the text after 地 at the end of an adverb. Before 里 and the like, 地 is the ground. */
const afterAdverb = /^(?![里裡裏上下中面方])\p{Script=Han}/u

/**
 * Corrects pinyin by its context, because pinyin-pro gives most neutral tones as full tones. The
 * syllables are keyed by the positions of their characters in the text.
 *
 *     饺子 // jiǎozi, not jiǎozǐ
 *     慢慢地走 // mànmàn de zǒu, not dì
 */
export function readInContext(text: string, syllables: ReadonlyMap<number, string>): Map<number, string> {
  const readings = new Map(syllables)
  for (const place of neutralTonesIn(text)) {
    const syllable = readings.get(place)
    if (syllable !== undefined) readings.set(place, text[place] === '地' ? 'de' : withoutTone(syllable))
  }
  for (const { index } of text.matchAll(teach)) readings.set(index, 'jiāo')
  return readings
}

function neutralTonesIn(text: string): number[] {
  const tokens = segment(text, 'zh')
  const starts = new Set(tokens.map(({ start }) => start))
  const tokenByEnd = new Map(tokens.map((token) => [token.start + token.text.length, token]))
  /** Whether a word is whole tokens or ends a short one: 学生 in 小学生, but not in 大学|生活. */
  const isWord = (start: number, end: number) => {
    const last = tokenByEnd.get(end)
    return last !== undefined && (starts.has(start) || (last.start < start && last.text.length < 4))
  }
  const places = [...text.matchAll(complement), ...text.matchAll(/[们們]/g)].map(({ index }) => index)
  for (let start = 0; start < text.length; start++)
    for (const end of [start + 2, start + 3])
      if (isIn('neutral', text.slice(start, end)) && (text[start] === text[start + 1] || isWord(start, end)))
        places.push(start + 1)
  const adverbEnds = [
    ...text.matchAll(adverb).map(({ 0: { length }, index }) => index + length - 1),
    ...tokens
      .filter(({ text: token, start }) => token === '地' && (tokenByEnd.get(start)?.text.length ?? 0) > 1)
      .map(({ start }) => start),
  ]
  return [...places, ...adverbEnds.filter((place) => afterAdverb.test(text.slice(place + 1)))]
}

function withoutTone(syllable: string): string {
  return syllable
    .normalize('NFD')
    .replaceAll(/[\u0300\u0301\u0304\u030c]/g, '')
    .normalize('NFC')
}
