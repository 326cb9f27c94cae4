/** How often each reason or repair was counted. */
export type Tally = Record<string, number>

/** The totals of a tally, for the report. `in` is `out` plus the sum of `dropped`. */
export interface TallySummary {
  cues: { in: number; out: number; dropped: Tally }
  repairs: Tally
}

/** Counts what happens to the cues of a file, so that none is lost silently. */
export class CueTally {
  cuesIn = 0
  cuesOut = 0
  readonly dropped: Tally = {}
  readonly repairs: Tally = {}

  /** Counts cues that did not become cues of a clip. */
  drop(reason: string, count = 1): void {
    addTo(this.dropped, { [reason]: count })
  }

  repair(repair: string, count = 1): void {
    addTo(this.repairs, { [repair]: count })
  }

  summary(): TallySummary {
    const { cuesIn, cuesOut, dropped, repairs } = this
    return { cues: { in: cuesIn, out: cuesOut, dropped }, repairs }
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

function addTo(total: Tally, more: Tally): void {
  for (const [name, count] of Object.entries(more)) if (count > 0) total[name] = (total[name] ?? 0) + count
}
