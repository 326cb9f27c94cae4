import type { SourceClip } from './source-clip.ts'

/** The most timed words of a cue. */
export const maxCueWords = 5_000
/**
 * The most characters of all cues of a clip, and of their timed words: eight times what anybody
 * says in 180 s.
 */
export const maxClipCharacters = 30_000

/** What is too large in a clip: the field and the reason, or null. */
export function checkSize({ cues }: SourceClip): { field: string; reason: string } | null {
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
