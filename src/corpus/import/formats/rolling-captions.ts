import type { CueTally } from '../cue-tally.ts'
import { foldBlanks } from './clean-text.ts'
import { countLetters, type RawCue } from './cue.ts'

/** Cues further apart than this, in seconds, were not shown one right after the other. */
const slackS = 0.1
/** No screen shows more lines. Comparing thousands would take quadratic time. */
const maxLines = 20

/**
 * Removes the repetitions of rolling captions, as automatic ones are shown: each cue repeats the
 * line of the cue before above its own, and short cues between them hold a line while it moves up.
 * A cue that says nothing new is dropped and counted.
 *
 * It applies only if at least a quarter of the cues roll: a person who says "No." twice is left
 * alone.
 */
export function unroll(cues: readonly RawCue[], tally: CueTally): RawCue[] {
  const lines = cues.map(linesOf)
  const repeated = cues.map((cue, i) => {
    const shownUntil = cues[i - 1]?.tEnd ?? -Infinity
    return cue.tStart > shownUntil + slackS ? 0 : countRepeated(lines[i - 1]!, lines[i]!)
  })
  const rolling = repeated.filter((count, i) => count > 0 && count < lines[i]!.length).length
  if (rolling === 0 || rolling * 4 < cues.length - 1) return [...cues]
  return cues.flatMap((cue, i) => {
    const count = repeated[i]!
    if (count === 0) return [cue]
    if (count === lines[i]!.length) {
      tally.drop('repeats the previous cue')
      return []
    }
    tally.repair('line repeated from the previous cue: dropped', count)
    const gone = countLetters(lines[i]!.slice(0, count).join(''))
    const anchors = cue.anchors.filter(({ letters }) => letters >= gone)
    return {
      ...cue,
      text: lines[i]!.slice(count).join('\n'),
      anchors: anchors.map(({ letters, time }) => ({ letters: letters - gone, time })),
    }
  })
}

function linesOf({ text }: RawCue): string[] {
  const lines = text.split('\n').map(foldBlanks)
  return lines.filter((line) => line !== '')
}

/** How many lines at the beginning of a cue are those that the cue before left on the screen. */
function countRepeated(linesBefore: readonly string[], lines: readonly string[]): number {
  if (lines.length > maxLines || linesBefore.length > maxLines) return 0
  for (let count = Math.min(lines.length, linesBefore.length); count > 0; count--) {
    const shown = linesBefore.slice(-count)
    if (shown.every((line, i) => line === lines[i])) return count
  }
  return 0
}
