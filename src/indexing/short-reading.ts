const kana = /^[\p{Script=Hiragana}\p{Script=Katakana}ー]+$/u
const han = /\p{Script=Han}/u
/** These are said together with the kana before them. */
const smallKana = /[ぁぃぅぇぉゃゅょゎァィゥェォャュョヮ]/gu

/**
 * Pieces of grammar spell readings of up to three moras all the time: 二つ|の is no 角 (つの). In 48,737 tokens of Japanese subtitles about 15
 * of the 530 runs of tokens that spell one say the word; of those that spell a longer one, 108 of 113 do (くだ|さい is 下さい).
 */
const fewestMoras = 4

/** Whether a form is how a word written in kanji is read, and too short for a run of tokens to tell that the word is said. */
export function isShortReading(form: string, headword: string): boolean {
  return kana.test(form) && han.test(headword) && form.replace(smallKana, '').length < fewestMoras
}
