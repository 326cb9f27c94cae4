import type { MetricObject } from 'prom-client'

/** From a cached answer to the time limit of an origin. */
const boundsS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

interface Series {
  /**
   * How many durations are up to each bound and above the bound before; last, those above every
   * bound.
   */
  counts: number[]
  sumS: number
}

/**
 * A histogram of durations by one label, in the shape of prom-client's. Its own takes 1.2 µs to
 * observe a value, most of it to check and join labels that are the same every time; this one takes
 * a tenth, and every request observes two.
 */
export class DurationHistogram {
  readonly #about: { name: string; help: string; label: string }
  readonly #series = new Map<string, Series>()

  constructor(about: { name: string; help: string; label: string }) {
    this.#about = about
  }

  observe(labelValue: string, durationMs: number): void {
    let series = this.#series.get(labelValue)
    if (!series) this.#series.set(labelValue, (series = { counts: boundsS.map(() => 0).concat(0), sumS: 0 }))
    const durationS = durationMs / 1000
    let bound = 0
    while (bound < boundsS.length && durationS > boundsS[bound]!) bound++
    series.counts[bound]!++
    series.sumS += durationS
  }

  /** In the form of prom-client's own metrics: the counts of buckets are cumulative. */
  toMetric(): MetricObject {
    const { name, help, label } = this.#about
    const values = [...this.#series].flatMap(([value, { counts, sumS }]) => {
      const labels = { [label]: value }
      let count = 0
      const buckets = counts.map((inBucket, i) => {
        count += inBucket
        const le = boundsS[i] ?? '+Inf'
        return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count }
      })
      const sum = { metricName: `${name}_sum`, labels, value: sumS }
      return [...buckets, sum, { metricName: `${name}_count`, labels, value: count }]
    })
    return { name, help, type: 'histogram', aggregator: 'sum', values } as unknown as MetricObject
  }
}
