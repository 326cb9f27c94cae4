/** How often each reason or repair occurred. */
type Counts = Record<string, number>

/** Counts what happens to the cues of files, so that none is lost silently. */
export class CueTally {
  /** `in` is `out` plus the sum of `dropped`. */
  readonly cues = { in: 0, out: 0, dropped: {} as Counts }
  readonly repairs: Counts = {}

  drop(reason: string, count = 1): void {
    addTo(this.cues.dropped, reason, count)
  }

  repair(repair: string, count = 1): void {
    addTo(this.repairs, repair, count)
  }

  add({ cues, repairs }: CueTally): void {
    this.cues.in += cues.in
    this.cues.out += cues.out
    for (const [reason, count] of Object.entries(cues.dropped)) this.drop(reason, count)
    for (const [repair, count] of Object.entries(repairs)) this.repair(repair, count)
  }
}

function addTo(counts: Counts, name: string, count: number): void {
  if (count > 0) counts[name] = (counts[name] ?? 0) + count
}
