import type { SourceClip, SourceCue, SourceWord } from './source-clip.ts'

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

interface ClipFault {
  field: string
  reason: string
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

/** The first fault in the times of a clip (contract 2), with its field, or null. */
function checkTimes(clip: SourceClip): ClipFault | null {
  for (const [i, cue] of clip.cues.entries()) {
    const fault = checkCue(clip, i, cue)
    if (fault) return { field: `cues[${i}].${fault.field}`, reason: fault.reason }
  }
  return null
}

function checkCue(clip: SourceClip, i: number, cue: SourceCue): ClipFault | null {
  const before = clip.cues[i - 1]
  const fault = checkSpan(cue)
  if (fault) return fault
  if (before && cue.tStart < before.tStart) {
    return {
      field: 'tStart',
      reason: `starts at ${cue.tStart} s, before the previous cue (${before.tStart} s)`,
    }
  }
  if (cue.tEnd > clip.durationS + slackS) {
    return {
      field: 'tEnd',
      reason: `ends at ${cue.tEnd} s, more than ${slackS} s after the end of the clip (${clip.durationS} s)`,
    }
  }
  return checkWords(cue.words ?? [])
}

function checkWords(words: readonly SourceWord[]): ClipFault | null {
  for (const [w, word] of words.entries()) {
    const fault = checkSpan(word)
    if (fault) return { field: `words[${w}].${fault.field}`, reason: fault.reason }
    if (word.tEnd > farS) return { field: `words[${w}].tEnd`, reason: 'is past any clip' }
  }
  return null
}

function checkSpan({ tStart, tEnd }: { tStart: number; tEnd: number }): ClipFault | null {
  if (tStart < 0) return { field: 'tStart', reason: 'must not be negative' }
  if (tEnd < tStart) return { field: 'tEnd', reason: `ends at ${tEnd} s, before its start at ${tStart} s` }
  return null
}
