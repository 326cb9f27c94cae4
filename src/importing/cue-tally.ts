/** Why a cue did not become a cue of a clip. */
export type DropReason =
  | 'no text'
  | 'longer than 10,000 characters'
  | 'unprintable characters: dropped'
  | 'not speech'
  | 'repeats the previous cue'
  | 'no times'
  | 'times cannot be read'
  | 'ends before it starts'
  | 'out of place'
  | 'after the end of the video'

/** What was repaired. */
export type Repair =
  | 'line repeated from the previous cue: dropped'
  | 'line in another language: dropped'
  | 'end missing: set to the next cue'
  | 'end before start: set to the next cue'
  | 'end before start: swapped'
  | 'zero length: set to the next cue'
  | 'overlap: end set to the next cue'
  | 'starts out of order: sorted'
  | 'start out of place: moved before the next cue'
  | 'start out of place: moved after the previous cue'
  | 'end past the end of the video: cut'
  | 'word of zero length: end set to the next word'
  | 'word without times: interpolated'
  | 'word before its neighbour or its start: clamped'
  | 'bytes that are not text: replaced'
  | 'truncated character: dropped'

export type Tally<K extends string> = Partial<Record<K, number>>

/** The totals of a tally, for the report. `in` is `out` plus the sum of `dropped`. */
export type TallySummary = ReturnType<CueTally['summary']>

/** Counts what happens to the cues of a file, so that none is lost silently. */
export class CueTally {
  cuesIn = 0
  cuesOut = 0
  readonly dropped: Tally<DropReason> = {}
  readonly repairs: Tally<Repair> = {}

  drop(reason: DropReason, count = 1): void {
    if (count > 0) this.dropped[reason] = (this.dropped[reason] ?? 0) + count
  }

  repair(repair: Repair, count = 1): void {
    if (count > 0) this.repairs[repair] = (this.repairs[repair] ?? 0) + count
  }

  summary() {
    return {
      cues: { in: this.cuesIn, out: this.cuesOut, dropped: { ...this.dropped } },
      repairs: { ...this.repairs },
    }
  }
}

/** The sum of the tallies of several files. */
export function totalOf(summaries: readonly TallySummary[]): TallySummary {
  const total: TallySummary = { cues: { in: 0, out: 0, dropped: {} }, repairs: {} }
  for (const { cues, repairs } of summaries) {
    total.cues.in += cues.in
    total.cues.out += cues.out
    addTo(total.cues.dropped, cues.dropped)
    addTo(total.repairs, repairs)
  }
  return total
}

function addTo<K extends string>(total: Tally<K>, more: Tally<K>): void {
  for (const [key, count] of Object.entries(more) as [K, number][]) total[key] = (total[key] ?? 0) + count
}
