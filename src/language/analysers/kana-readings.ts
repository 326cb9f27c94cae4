import { readDataRows } from './data-file.ts'

const rows = readDataRows('commonly-in-kana.txt')

/** Japanese words that are usually written in kana, by the spelling that catalogues often use. */
export const commonlyInKana = new Map(rows.map(([word, inKana]) => [word, inKana!]))

/** Words that these kana nearly always mean. */
const nearlyAlwaysInKana = new Map(
  rows.filter(([, , mark]) => mark === 'always').map(([spelling, headword]) => [spelling, headword!]),
)

/** Matches a text that consists of kana. */
export const kana = /^[\p{Script=Hiragana}\p{Script=Katakana}ー]+$/u
const han = /\p{Script=Han}/u
/** These form one mora with the kana before them. */
const smallKana = /[ぁぃぅぇぉゃゅょゎァィゥェォャュョヮ]/gu

/**
 * Pieces of grammar often spell readings of up to three moras: 二つ|の does not contain 角 (つの),
 * and こと is not 琴. In 48,737 tokens of Japanese subtitles, 530 runs of tokens spell such a
 * reading, but only about 15 of them are the word. Of 113 runs that spell a longer one, 108 are
 * (くだ|さい is 下さい).
 */
const fewestMoras = 4

/** Whether a form is the reading of a word written in kanji. */
export function isReading(form: string, headword: string): boolean {
  return kana.test(form) && han.test(headword)
}

/** Whether a reading is too short to be taken for the word. */
export function isShortReading(reading: string, headword: string): boolean {
  return reading.replace(smallKana, '').length < fewestMoras && nearlyAlwaysInKana.get(reading) !== headword
}

/** Whether a word is written with kanji. */
export function isInKanji(word: string): boolean {
  return han.test(word)
}
