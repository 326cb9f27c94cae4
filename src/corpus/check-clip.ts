import { checkTimes } from './check-times.ts'
import type { SourceClip } from './source-clip.ts'

/** The most timed words of a cue. */
const maxCueWords = 5_000
/**
 * The most characters of all cues of a clip, and of their timed words: eight times what anybody
 * says in 180 s.
 */
const maxClipCharacters = 30_000

/** The first fault of a clip as a whole, beyond its single fields, with its field, or null. */
export function checkClip(clip: SourceClip): { field: string; reason: string } | null {
  return checkSize(clip) ?? checkTimes(clip)
}

function checkSize({ cues }: SourceClip): { field: string; reason: string } | null {
  let characters = 0
  let wordCharacters = 0
  for (const [i, { text, words = [] }] of cues.entries()) {
    if (words.length > maxCueWords)
      return {
        field: `cues[${i}].words`,
        reason: `has ${words.length} words: at most ${maxCueWords} are allowed`,
      }
    characters += text.length
    for (const { text: word, lemma = '' } of words) wordCharacters += Math.max(word.length, lemma.length)
    if (Math.max(characters, wordCharacters) > maxClipCharacters)
      return {
        field: `cues[${i}]`,
        reason: `makes the text of the clip longer than ${maxClipCharacters} characters`,
      }
  }
  return null
}
