import { readDataRows } from '#language/analysers/data-file.ts'
import { cacheByText } from '#language/cache-by-text.ts'
import { isUnspaced } from '#language/unspaced.ts'
import type { CueTally } from '../cue-tally.ts'
import type { RawCue } from './cue.ts'

const letter = /\p{L}/u
/** Languages that are written in several scripts, so that the letters of a line prove nothing. */
const ofSeveralScripts = new Set('az bs kk ks ku ky mn pa sd sr tg tk tt ug uz'.split(' '))
/** The Unicode scripts in those CLDR scripts that combine several. */
const parts: Record<string, string[]> = {
  Hans: ['Han'],
  Hant: ['Han'],
  Jpan: ['Han', 'Hiragana', 'Katakana'],
  Kore: ['Hangul'],
}

/**
 * Drops the lines of bilingual subtitles in the other language, by their script. The languages may
 * share a cue, or have two cues at the same times. It applies only if at least half of these groups
 * have a line with letters of the language's own script and one without.
 */
export function leaveOutOtherLanguage(cues: readonly RawCue[], tally: CueTally, language: string): RawCue[] {
  const ownLetters = lettersOf(language)
  const isForeign = (line: string) => letter.test(line) && !ownLetters.test(line)
  const groups = [...Map.groupBy(cues, ({ tStart, tEnd }) => `${tStart} ${tEnd}`).values()]
  const bilingual = groups.filter((group) => {
    const lines = group.flatMap(({ text }) => text.split('\n'))
    return lines.some(isForeign) && lines.some((line) => ownLetters.test(line))
  })
  if (bilingual.length === 0 || bilingual.length * 2 < groups.length) return [...cues]
  const bilingualCues = new Set(bilingual.flat().filter((cue) => cue.anchors.length === 0))
  return cues.flatMap((cue) => {
    if (!bilingualCues.has(cue)) return [cue]
    const lines = cue.text.split('\n')
    const ownLines = lines.filter((line) => !isForeign(line))
    if (!ownLines.some((line) => ownLetters.test(line))) {
      tally.drop('in another language')
      return []
    }
    tally.repair('line in another language: dropped', lines.length - ownLines.length)
    return [{ ...cue, text: ownLines.join('\n') }]
  })
}

/** Whether hardly any text can be in the language: less than a twentieth contain its script. */
export function isInOtherScript(texts: readonly string[], language: string): boolean {
  return shareInOwnScript(texts, language) < 0.05
}

/** Whether at least half of the texts with letters contain the language's script. */
export function isInOwnScript(texts: readonly string[], language: string): boolean {
  return shareInOwnScript(texts, language) >= 0.5
}

/** The share of the texts with letters that contain the language's script; NaN without letters. */
function shareInOwnScript(texts: readonly string[], language: string): number {
  const ownLetters = lettersOf(language)
  const textsWithLetters = texts.filter((text) => letter.test(text))
  return textsWithLetters.filter((text) => ownLetters.test(text)).length / textsWithLetters.length
}

const rows = readDataRows('common-words.txt', import.meta.dirname)
/** Words that few other languages have, keyed by language. */
const commonWords = new Map(rows.map(([language, ...words]) => [language, new Set(words)]))

/**
 * Whether texts are certainly in the first language rather than in the second: by their script, or
 * because they have twice as many of its common words.
 */
export function readsMoreLike(texts: readonly string[], language: string, other: string): boolean {
  if (isInOtherScript(texts, language)) return false
  if (isInOtherScript(texts, other)) return true
  const share = commonShare(texts, language)
  return share > 0.1 && share > 2 * commonShare(texts, other)
}

/** The share of words (without spaces: of characters) that are common in a language. */
function commonShare(texts: readonly string[], language: string): number {
  const pattern = isUnspaced(language) ? /\p{L}/gu : /[\p{L}\p{M}'’]+/gu
  const words = texts.flatMap((text) => text.toLowerCase().match(pattern) ?? [])
  const common = words.filter((word) => commonWords.get(language)?.has(word.replace('’', "'")))
  return words.length === 0 ? 0 : common.length / words.length
}

/** Returns a pattern for a letter of the language's script. */
const lettersOf = cacheByText((language) => {
  if (ofSeveralScripts.has(language)) return letter
  const { script = 'Latn' } = new Intl.Locale(language).maximize()
  const scripts = parts[script] ?? [script]
  return new RegExp(`[${scripts.map((each) => `\\p{Script=${each}}`).join('')}]`, 'u')
})
