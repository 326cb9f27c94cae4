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
  const bilingual = cues.map((cue) => isBilingual(cue.text, language))
  const count = bilingual.filter(Boolean).length
  if (count === 0 || count * 2 < cues.length) return [...cues]
  return cues.map((cue, i) => {
    if (!bilingual[i] || cue.anchors.length > 0) return cue
    const lines = cue.text.split('\n')
    const own = lines.filter((line) => !isForeign(line, language))
    tally.repair('line in another language: dropped', lines.length - own.length)
    return { ...cue, text: own.join('\n') }
  })
}

function isBilingual(text: string, language: string): boolean {
  const lines = text.split('\n')
  return lines.some((line) => isForeign(line, language)) && lines.some((line) => isOwn(line, language))
}

/**
 * Whether hardly anything in the cues can be in the language: less than a twentieth of those with
 * letters have one of its script.
 */
export function isInOtherScript(cues: readonly RawCue[], language: string): boolean {
  const lettered = cues.filter((cue) => letter.test(cue.text))
  const foreign = lettered.filter((cue) => isForeign(cue.text, language))
  return lettered.length > 0 && foreign.length > lettered.length * 0.95
}

/** Whether a line has letters, all of a script that the language does not use. */
function isForeign(line: string, language: string): boolean {
  return letter.test(line) && !isOwn(line, language)
}

/** Whether a line has a letter of the language's script. */
function isOwn(line: string, language: string): boolean {
  return ownLetters.getOrInsertComputed(language, lettersOf).test(line)
}

const ownLetters = new Map<string, RegExp>()

function lettersOf(language: string): RegExp {
  if (ofSeveralScripts.has(language)) return letter
  const { script = 'Latn' } = new Intl.Locale(language).maximize()
  const scripts = parts[script] ?? [script]
  return new RegExp(`[${scripts.map((each) => `\\p{Script=${each}}`).join('')}]`, 'u')
}
