import { readDataLines } from './data-file.ts'

const lines = readDataLines('commonly-in-kana.txt')

function kanaOf(words: readonly string[]): ReadonlyMap<string, string> {
  return new Map(words.map((line) => line.split(' ', 2) as [string, string]))
}

/** Japanese words that are usually written in kana, by how catalogues often write them. */
export const commonlyInKana = kanaOf(lines)

/** Those that nearly always say these words. */
const nearlyAlwaysInKana = kanaOf(lines.filter((line) => line.endsWith(' always')))

/** A text of kana alone. */
export const kana = /^[\p{Script=Hiragana}\p{Script=Katakana}ー]+$/u
const han = /\p{Script=Han}/u
/** These form one mora with the kana before them. */
const smallKana = /[ぁぃぅぇぉゃゅょゎァィゥェォャュョヮ]/gu

/**
 * Pieces of grammar spell readings of up to three moras all the time: 二つ|の has no 角 (つの), and
 * こと is no 琴. In 48,737 tokens of Japanese subtitles, 530 runs of tokens spell such a reading, and
 * about 15 of them say the word. Of 113 runs that spell a longer one, 108 do (くだ|さい is 下さい).
 */
const fewestMoras = 4

/** Whether a form is the reading of a word written in kanji. */
export function isReading(form: string, headword: string): boolean {
  return kana.test(form) && han.test(headword)
}

/** Whether a reading is too short to mean that the word is said. */
export function isShortReading(reading: string, headword: string): boolean {
  return reading.replace(smallKana, '').length < fewestMoras && nearlyAlwaysInKana.get(reading) !== headword
}

/** Whether a word is written with kanji. */
export function isInKanji(word: string): boolean {
  return han.test(word)
}
