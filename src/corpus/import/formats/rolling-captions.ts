import type { CueTally } from '../cue-tally.ts'
import { foldBlanks } from './clean-text.ts'
import { countLetters, type RawCue } from './cue.ts'

/** The largest gap, in seconds, between cues that were shown one right after the other. */
const slackS = 1
/** The most lines to compare. No screen shows more, and thousands would take quadratic time. */
const maxLines = 20

/** The part of a cue that repeats the previous cue. */
interface Repetition {
  /** The number of repeated letters. */
  letters: number
  /** The number of lines that are repeated in full. */
  lines: number
}

/** The largest difference between the starts, and between the ends, of layers, in seconds. */
const layerSlackS = 0.1

/** Drops cues that show the text of another one at the same times, such as a shadow under it. */
export function dropLayers(cues: readonly RawCue[], tally: CueTally): RawCue[] {
  const areApart = cues.every((cue, i) => i === 0 || cue.tStart > cues[i - 1]!.tStart + layerSlackS)
  if (areApart) return [...cues]
  const cuesByText = new Map<string, RawCue>()
  return cues.filter((cue) => {
    const text = foldBlanks(cue.text)
    const last = cuesByText.get(text)
    const isLayer = last !== undefined && areSimultaneous(last, cue)
    if (isLayer) tally.drop('shows the text of another cue again')
    else cuesByText.set(text, cue)
    return !isLayer
  })
}

function areSimultaneous(a: RawCue, b: RawCue): boolean {
  if (a.tStart === b.tStart && a.tEnd === b.tEnd) return true
  if (a.tEnd === null || b.tEnd === null) return false
  const isApart = Math.abs(a.tStart - b.tStart) > layerSlackS || Math.abs(a.tEnd - b.tEnd) > layerSlackS
  return !isApart && Math.min(a.tEnd, b.tEnd) > Math.max(a.tStart, b.tStart)
}

/**
 * Removes the repetitions of rolling and growing captions. Each cue of rolling captions repeats the
 * previous cue's line above its own, and short cues between them keep a line while it moves up. A
 * cue without new text is dropped and counted. Each cue of growing captions adds a few words to its
 * line. These become one cue, in which each word starts when it appears.
 *
 * It applies only if at least a quarter of the cues roll or grow, so that a person may say "No."
 * twice.
 */
export function unroll(cues: readonly RawCue[], tally: CueTally): RawCue[] {
  const lines = cues.map(linesOf)
  const repetitions = cues.map((cue, i) => {
    const shownUntil = cues[i - 1]?.tEnd ?? -Infinity
    return cue.tStart > shownUntil + slackS ? none : findRepetition(lines[i - 1]!, lines[i]!)
  })
  if (repetitions.every(({ letters }) => letters === 0)) return [...cues]
  const totals = lines.map((each) => countLetters(each.join('')))
  const rolling = repetitions.filter(({ letters }, i) => letters > 0 && letters < totals[i]!).length
  if (rolling === 0 || rolling * 4 < cues.length - 1) return [...cues]
  const newCues: RawCue[] = []
  for (const [i, cue] of cues.entries()) {
    const repetition = repetitions[i]!
    const last = newCues.at(-1)
    if (repetition.letters === 0 || last === undefined) newCues.push(cue)
    else if (repetition.letters === totals[i]) tally.drop('repeats the previous cue')
    else {
      const newPart = withoutRepetition(cue, lines[i]!, repetition)
      if (repetition.lines > 0) {
        tally.repair('line repeated from the previous cue: dropped', repetition.lines)
        newCues.push(newPart)
      } else {
        tally.drop('adds words to the line of the previous cue')
        newCues[newCues.length - 1] = append(last, newPart)
      }
    }
  }
  return newCues
}

const none: Repetition = { letters: 0, lines: 0 }

function linesOf({ text }: RawCue): string[] {
  const lines = text.split('\n').map(foldBlanks)
  return lines.filter((line) => line !== '')
}

/**
 * Finds the lines at the start of a cue that the previous cue left on the screen. If the last of
 * them continues, it is a growing line.
 */
function findRepetition(linesBefore: readonly string[], lines: readonly string[]): Repetition {
  if (lines.length > maxLines || linesBefore.length > maxLines) return none
  for (let count = Math.min(lines.length, linesBefore.length); count > 0; count--) {
    const lastLines = linesBefore.slice(-count)
    const last = lastLines.at(-1)!
    if (!lastLines.slice(0, -1).every((line, i) => line === lines[i])) continue
    const line = lines[count - 1]!
    const letters = countLetters(lastLines.join(''))
    if (line === last) return { letters, lines: count }
    if (line.startsWith(last)) return { letters, lines: 0 }
  }
  return none
}

/** Returns the cue without the first letters of its lines. */
function withoutRepetition(cue: RawCue, lines: readonly string[], { letters }: Repetition): RawCue {
  const anchors = cue.anchors.filter((anchor) => anchor.letters >= letters)
  return {
    ...cue,
    text: afterLetters(lines.join('\n'), letters),
    anchors: anchors.map((anchor) => ({ letters: anchor.letters - letters, time: anchor.time })),
  }
}

/** Returns the text after its first letters (characters other than whitespace). */
function afterLetters(text: string, letters: number): string {
  let at = 0
  for (let count = 0; count < letters; at++) if (/\S/.test(text[at]!)) count++
  return text.slice(at).replace(/^\n/, '')
}

/** Returns a cue with the words that a later cue adds to its last line. */
function append(cue: RawCue, addition: RawCue): RawCue {
  const letters = countLetters(cue.text)
  const later = addition.anchors.map((anchor) => ({ letters: letters + anchor.letters, time: anchor.time }))
  return {
    ...cue,
    tEnd: addition.tEnd,
    text: cue.text.trimEnd() + addition.text,
    anchors: [...cue.anchors, { letters, time: addition.tStart }, ...later],
  }
}
