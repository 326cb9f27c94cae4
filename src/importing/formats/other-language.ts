import type { Account } from '../account.ts'
import type { RawCue } from './cue.ts'
import { isForeign, isOwn } from './scripts-of-languages.ts'

/**
 * Leaves out the lines of bilingual subtitles that are in the other language, by their script: only
 * if at least half of the cues have a line with letters of the language's own script and one
 * without.
 */
export function leaveOutOtherLanguage(cues: readonly RawCue[], language: string, account: Account): RawCue[] {
  const bilingual = cues.map((cue) => isBilingual(cue.text, language))
  const count = bilingual.filter(Boolean).length
  if (count === 0 || count * 2 < cues.length) return [...cues]
  return cues.map((cue, i) => {
    if (!bilingual[i] || cue.anchors) return cue
    const lines = cue.text.split('\n')
    const own = lines.filter((line) => !isForeign(line, language))
    account.repair('line in another language: dropped', lines.length - own.length)
    return { ...cue, text: own.join('\n') }
  })
}

function isBilingual(text: string, language: string): boolean {
  if (!text.includes('\n')) return false
  const lines = text.split('\n')
  return lines.some((line) => isForeign(line, language)) && lines.some((line) => isOwn(line, language))
}

/**
 * Whether hardly anything in the cues can be in the language: less than a twentieth of those with
 * letters have one of its script.
 */
export function isInOtherScript(cues: readonly RawCue[], language: string): boolean {
  const lettered = cues.filter((cue) => /\p{L}/u.test(cue.text))
  const foreign = lettered.filter((cue) => isForeign(cue.text, language))
  return lettered.length > 0 && foreign.length > lettered.length * 0.95
}
