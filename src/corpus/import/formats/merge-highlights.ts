import type { CueTally } from '../cue-tally.ts'
import { foldBlanks } from './clean-text.ts'
import type { RawCue } from './cue.ts'

type Highlighted = RawCue & { highlight: NonNullable<RawCue['highlight']> }

/**
 * Merges captions that show a line again for each word, with that word highlighted, into one cue
 * per line, whose words have the times of their highlights. Cues without highlight between them
 * bridge pauses. A line that is shown only once does not change.
 */
export function mergeHighlights(cues: readonly RawCue[], tally: CueTally): RawCue[] {
  if (!cues.some(({ highlight }) => highlight)) return [...cues]
  const runs: RawCue[][] = []
  for (const cue of cues) {
    const run = runs.at(-1)
    if (run && continues(run, cue)) run.push(cue)
    else runs.push([cue])
  }
  const isKaraoke = runs.some((run) => run.filter(({ highlight }) => highlight).length > 1)
  if (!isKaraoke) return [...cues]
  return runs.map((run) => {
    const highlights = run.filter((cue): cue is Highlighted => cue.highlight !== undefined)
    if (highlights.length === 0) return run[0]!
    tally.drop('highlights the next word of the same line', run.length - 1)
    return mergeRun(run, highlights)
  })
}

/** Whether a cue shows the line of the run, and its highlight does not go back. */
function continues(run: readonly RawCue[], cue: RawCue): boolean {
  if (foldBlanks(run[0]!.text) !== foldBlanks(cue.text)) return false
  const last = run.findLast(({ highlight }) => highlight)?.highlight
  if (last === undefined || cue.highlight === undefined) return run.some(({ highlight }) => highlight)
  return cue.highlight.to > last.to
}

function mergeRun(run: readonly RawCue[], highlights: readonly Highlighted[]): RawCue {
  const anchors = highlights.flatMap(({ tStart, tEnd, highlight: { from, to } }, i) => {
    // A highlight may also grow from the start of the line.
    const begin = Math.max(from, highlights[i - 1]?.highlight.to ?? 0)
    return [
      { letters: begin, time: tStart },
      { letters: to, time: tEnd ?? highlights[i + 1]?.tStart ?? tStart },
    ]
  })
  const { tStart, text, raw } = run[0]!
  return { tStart, tEnd: run.at(-1)!.tEnd, text, raw, anchors }
}
