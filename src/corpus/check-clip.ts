import type { SourceClip, SourceCue } from './source-clip.ts'

/** The most timed words of a cue. */
const maxCueWords = 5_000
/**
 * The most characters of all cues of a clip, and of their timed words: eight times what anybody
 * says in 180 s.
 */
const maxClipCharacters = 30_000

/** How far a cue may reach past the clip, in seconds. */
const slackS = 1
/** Words may lie outside their cue, but not past any clip. */
const farS = 1e6

type ClipFault = ReturnType<typeof fault>

function fault(field: string, reason: string) {
  return { field, reason }
}

/** The first fault of a clip as a whole, beyond its single fields, with its field, or null. */
export function checkClip(clip: SourceClip): ClipFault | null {
  return checkSize(clip) ?? checkTimes(clip)
}

function checkSize({ cues }: SourceClip): ClipFault | null {
  let characters = 0
  let wordCharacters = 0
  for (const [i, { text, words = [] }] of cues.entries()) {
    if (words.length > maxCueWords)
      return fault(`cues[${i}].words`, `has ${words.length} words: at most ${maxCueWords} are allowed`)
    characters += text.length
    for (const { text: word, lemma = '' } of words) wordCharacters += Math.max(word.length, lemma.length)
    if (Math.max(characters, wordCharacters) > maxClipCharacters)
      return fault(`cues[${i}]`, `makes the text of the clip longer than ${maxClipCharacters} characters`)
  }
  return null
}

/** The first fault in the times of a clip (contract 2), with its field, or null. */
function checkTimes(clip: SourceClip): ClipFault | null {
  for (const [i, cue] of clip.cues.entries()) {
    const found = checkCue(clip, i, cue)
    if (found) return fault(`cues[${i}].${found.field}`, found.reason)
  }
  return null
}

function checkCue(clip: SourceClip, i: number, cue: SourceCue): ClipFault | null {
  const before = clip.cues[i - 1]
  const found = checkSpan(cue)
  if (found) return found
  if (before && cue.tStart < before.tStart)
    return fault('tStart', `starts at ${cue.tStart} s, before the previous cue (${before.tStart} s)`)
  if (cue.tEnd > clip.durationS + slackS) {
    const end = `the end of the clip (${clip.durationS} s)`
    return fault('tEnd', `ends at ${cue.tEnd} s, more than ${slackS} s after ${end}`)
  }
  for (const [w, word] of (cue.words ?? []).entries()) {
    const inWord = checkSpan(word)
    if (inWord) return fault(`words[${w}].${inWord.field}`, inWord.reason)
    if (word.tEnd > farS) return fault(`words[${w}].tEnd`, 'is past any clip')
  }
  return null
}

function checkSpan({ tStart, tEnd }: { tStart: number; tEnd: number }): ClipFault | null {
  if (tStart < 0) return fault('tStart', 'must not be negative')
  if (tEnd < tStart) return fault('tEnd', `ends at ${tEnd} s, before its start at ${tStart} s`)
  return null
}
