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
  if (!cues.some((cue) => cue.text.includes('\n'))) return [...cues]
  const lines = cues.map(linesOf)
  const repeated = cues.map((cue, i) =>
    i === 0 ? 0 : countRepeated(cues[i - 1]!, lines[i - 1]!, cue, lines[i]!),
  )
  const rolling = repeated.filter((count, i) => count > 0 && count < lines[i]!.length).length
  if (rolling === 0 || rolling * 4 < cues.length - 1) return [...cues]
  return cues.flatMap((cue, i) => {
    if (repeated[i] === 0) return [cue]
    if (repeated[i] === lines[i]!.length) {
      tally.drop('repeats the previous cue')
      return []
    }
    tally.repair('line repeated from the previous cue: dropped', repeated[i])
    return [withoutLines(cue, repeated[i]!)]
  })
}

function linesOf(cue: RawCue): string[] {
  return cue.text
    .split('\n')
    .map(foldBlanks)
    .filter((line) => line !== '')
}

/** How many lines at the beginning of a cue are those that the cue before left on the screen. */
function countRepeated(before: RawCue, linesBefore: string[], cue: RawCue, lines: string[]): number {
  if (cue.tStart === null || before.tEnd === null || cue.tStart > before.tEnd + slackS) return 0
  if (lines.length > maxLines || linesBefore.length > maxLines) return 0
  for (let count = Math.min(lines.length, linesBefore.length); count > 0; count--) {
    const shown = linesBefore.slice(-count)
    if (shown.every((line, i) => line === lines[i])) return count
  }
  return 0
}

/** A cue without its first lines that are not blank, and the times in them. */
function withoutLines(cue: RawCue, count: number): RawCue {
  const all = cue.text.split('\n')
  let left = count
  let from = 0
  while (left > 0) if (all[from++]!.trim() !== '') left--
  const gone = countLetters(all.slice(0, from).join('\n'))
  const anchors = cue.anchors
    .filter((anchor) => anchor.letters >= gone)
    .map(({ letters, time }) => ({ letters: letters - gone, time }))
  return { ...cue, text: all.slice(from).join('\n'), anchors }
}
