interface Timed {
  tStart: number
  tEnd: number
  text: string
}

/** What is checked of a clip of the source. */
interface CheckedClip {
  durationS: number
  cues: (Timed & { words?: (Timed & { lemma?: string | undefined })[] | undefined })[]
}

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

/** What is wrong, and the path of its field. */
interface ClipFault {
  path: (string | number)[]
  message: string
}

/** The first fault of a clip as a whole (contract 2), beyond its single fields, or null. */
export function faultOfClip(clip: CheckedClip): ClipFault | null {
  return faultOfSize(clip) ?? faultOfTimes(clip)
}

function faultOfSize({ cues }: CheckedClip): ClipFault | null {
  let characters = 0
  let wordCharacters = 0
  for (const [i, { text, words = [] }] of cues.entries()) {
    if (words.length > maxCueWords)
      return fault(['cues', i, 'words'], `has ${words.length} words: at most ${maxCueWords} are allowed`)
    characters += text.length
    for (const { text: word, lemma = '' } of words) wordCharacters += Math.max(word.length, lemma.length)
    if (Math.max(characters, wordCharacters) > maxClipCharacters)
      return fault(['cues', i], `makes the text of the clip longer than ${maxClipCharacters} characters`)
  }
  return null
}

function faultOfTimes({ cues, durationS }: CheckedClip): ClipFault | null {
  for (const [i, cue] of cues.entries()) {
    const before = cues[i - 1]
    const at = (field: string) => ['cues', i, field]
    const inCue = faultOfSpan(cue, ['cues', i])
    if (inCue) return inCue
    if (before && cue.tStart < before.tStart)
      return fault(at('tStart'), `starts at ${cue.tStart} s, before the previous cue (${before.tStart} s)`)
    if (cue.tEnd > durationS + slackS) {
      const end = `the end of the clip (${durationS} s)`
      return fault(at('tEnd'), `ends at ${cue.tEnd} s, more than ${slackS} s after ${end}`)
    }
    for (const [w, word] of (cue.words ?? []).entries()) {
      const inWord = faultOfSpan(word, ['cues', i, 'words', w])
      if (inWord) return inWord
      if (word.tEnd > farS) return fault(['cues', i, 'words', w, 'tEnd'], 'is past any clip')
    }
  }
  return null
}

function faultOfSpan({ tStart, tEnd }: { tStart: number; tEnd: number }, path: ClipFault['path']) {
  if (tStart < 0) return fault([...path, 'tStart'], 'must not be negative')
  if (tEnd < tStart) return fault([...path, 'tEnd'], `ends at ${tEnd} s, before its start at ${tStart} s`)
  return null
}

function fault(path: ClipFault['path'], message: string): ClipFault {
  return { path, message }
}
