import type { CueTally } from '../cue-tally.ts'
import type { RawCue } from './cue.ts'

const letter = /\p{L}/u
/** Languages that are written in several scripts: the letters of a line say nothing. */
const ofSeveralScripts = new Set('az bs kk ks ku ky mn pa sd sr tg tk tt ug uz'.split(' '))
/** The scripts of Unicode in those of CLDR that mix or divide them. */
const parts: Record<string, string[]> = {
  Hans: ['Han'],
  Hant: ['Han'],
  Jpan: ['Han', 'Hiragana', 'Katakana'],
  Kore: ['Hangul'],
}

/**
 * Leaves out the lines of bilingual subtitles that are in the other language, by their script: only
 * if at least half of the cues have a line with letters of the language's own script and one
 * without.
 */
export function leaveOutOtherLanguage(cues: readonly RawCue[], language: string, tally: CueTally): RawCue[] {
  const ownLetters = lettersOf(language)
  const isForeign = (line: string) => letter.test(line) && !ownLetters.test(line)
  const bilingual = cues.filter(({ text }) => {
    const lines = text.split('\n')
    return lines.some(isForeign) && lines.some((line) => ownLetters.test(line))
  })
  if (bilingual.length === 0 || bilingual.length * 2 < cues.length) return [...cues]
  const cut = new Set(bilingual.filter((cue) => cue.anchors.length === 0))
  return cues.map((cue) => {
    if (!cut.has(cue)) return cue
    const lines = cue.text.split('\n')
    const ownLines = lines.filter((line) => !isForeign(line))
    tally.repair('line in another language: dropped', lines.length - ownLines.length)
    return { ...cue, text: ownLines.join('\n') }
  })
}

/**
 * Whether hardly any of the texts can be in the language: less than a twentieth of those with
 * letters have one of its script.
 */
export function isInOtherScript(texts: readonly string[], language: string): boolean {
  const ownLetters = lettersOf(language)
  const textsWithLetters = texts.filter((text) => letter.test(text))
  return textsWithLetters.filter((text) => ownLetters.test(text)).length < textsWithLetters.length * 0.05
}

/** What matches a letter of the language's script. */
function lettersOf(language: string): RegExp {
  if (ofSeveralScripts.has(language)) return letter
  const { script = 'Latn' } = new Intl.Locale(language).maximize()
  const scripts = parts[script] ?? [script]
  return new RegExp(`[${scripts.map((each) => `\\p{Script=${each}}`).join('')}]`, 'u')
}
