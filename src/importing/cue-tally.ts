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
    addTo(this.dropped, reason, count)
  }

  repair(repair: string, count = 1): void {
    addTo(this.repairs, repair, count)
  }

  /** Adds what was counted for another file. */
  add({ cuesIn, cuesOut, dropped, repairs }: CueTally): void {
    this.cuesIn += cuesIn
    this.cuesOut += cuesOut
    for (const [reason, count] of Object.entries(dropped)) this.drop(reason, count)
    for (const [repair, count] of Object.entries(repairs)) this.repair(repair, count)
  }

  summary(): TallySummary {
    const { cuesIn, cuesOut, dropped, repairs } = this
    return { cues: { in: cuesIn, out: cuesOut, dropped }, repairs }
  }
}

function addTo(tally: Tally, name: string, count: number): void {
  if (count > 0) tally[name] = (tally[name] ?? 0) + count
}
