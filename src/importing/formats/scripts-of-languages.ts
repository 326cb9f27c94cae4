/**
 * The scripts of languages, to recognise lines in another language. Other languages use Latin
 * letters.
 */
const scripts: Record<string, RegExp> = {
  zh: /\p{Script=Han}/u,
  ja: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
  ko: /\p{Script=Hangul}/u,
  ru: /\p{Script=Cyrillic}/u,
  uk: /\p{Script=Cyrillic}/u,
  bg: /\p{Script=Cyrillic}/u,
  el: /\p{Script=Greek}/u,
  ar: /\p{Script=Arabic}/u,
  fa: /\p{Script=Arabic}/u,
  he: /\p{Script=Hebrew}/u,
  hi: /\p{Script=Devanagari}/u,
  th: /\p{Script=Thai}/u,
}
const latin = /\p{Script=Latin}/u
const letter = /\p{L}/u
/** Languages with several scripts: the letters of a line say nothing. */
const several = new Set(['sr', 'kk', 'uz', 'az', 'bs', 'mn', 'pa', 'ks', 'sd', 'ku'])

/** Whether a line has letters, all of a script that the language does not use. */
export function isForeign(line: string, language: string): boolean {
  if (several.has(language)) return false
  const own = scripts[language] ?? latin
  return letter.test(line) && !own.test(line)
}

/** Whether a line has a letter of the language's script. */
export function isOwn(line: string, language: string): boolean {
  return several.has(language) || (scripts[language] ?? latin).test(line)
}
