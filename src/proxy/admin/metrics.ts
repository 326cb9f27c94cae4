import { collectDefaultMetrics, Counter, Gauge, Registry, type MetricObject } from 'prom-client'
import type { Clock } from '#kit/clock.ts'
import type { OnCalled } from '#metering/store.ts'
import type { Release } from '#release/release.ts'
import type { CacheCounts } from '../cache-count.ts'
import type { AnsweredRequest } from '../http/answered-request.ts'
import { DurationHistogram } from './duration-histogram.ts'

const prefix = 'clip_lookup_'

/** What the metrics are read from. */
export interface MetricSources {
  release(): Release | null
  caches: CacheCounts
  clock: Clock
}

/**
 * The metrics of one process. Labels hold operations, statuses and codes, which are few, never a
 * key, an account or a clip.
 *
 * What every request increments is a plain number, which prom-client gets when the metrics are
 * read.
 */
export class Metrics {
  readonly #registry = new Registry()
  readonly #requests = new Map<string, number[]>()
  readonly #rejected = new Map<string, number>()
  readonly #storeErrors = new Map<string, number>()
  readonly #originErrors = new Map<string, number>()
  readonly #durations = new DurationHistogram({
    name: `${prefix}request_duration_seconds`,
    help: 'Time to answer a request',
    label: 'operation',
  })
  readonly #storeDurations = new DurationHistogram({
    name: `${prefix}store_duration_seconds`,
    help: 'Time that the store takes',
    label: 'call',
  })

  constructor(sources: MetricSources) {
    collectDefaultMetrics({ register: this.#registry })
    this.#gaugeRelease(sources)
    this.#countCaches(sources.caches)
    this.#countRequests()
    this.#countBy('rejected_total', 'Requests refused, by error code', 'reason', this.#rejected)
    this.#countBy('store_errors_total', 'Failed calls to the store', 'call', this.#storeErrors)
    this.#countBy('origin_errors_total', 'Failed requests to the origin', 'reason', this.#originErrors)
  }

  answered({ operation, status, code, treeFault, durationMs }: AnsweredRequest): void {
    const name = operation ?? 'none'
    let byStatus = this.#requests.get(name)
    if (!byStatus) this.#requests.set(name, (byStatus = []))
    byStatus[status] = (byStatus[status] ?? 0) + 1
    this.#durations.observe(name, durationMs)
    if (code !== null && code !== 'not_found') increment(this.#rejected, code)
    if (treeFault !== null) increment(this.#originErrors, treeFault)
  }

  storeCalled(...[call, durationMs, isFailed]: Parameters<OnCalled>): void {
    this.#storeDurations.observe(call, durationMs)
    if (isFailed) increment(this.#storeErrors, call)
  }

  /** All metrics in the form that prom-client aggregates. */
  async read(): Promise<MetricObject[]> {
    const collected = await this.#registry.getMetricsAsJSON()
    return [...collected, this.#durations.toMetric(), this.#storeDurations.toMetric()]
  }

  #gaugeRelease({ release, clock }: MetricSources): void {
    const info = this.#gauge('release_info', 'The release in service', ['release'], () => {
      info.reset()
      const current = release()
      if (current) info.set({ release: current.manifest.release }, 1)
    })
    const age = this.#gauge('release_age_seconds', 'Time since the release in service was built', [], () => {
      const current = release()
      if (current) age.set((clock.now() - current.manifest.builtAtMs) / 1000)
      else age.remove()
    })
  }

  #countCaches(caches: CacheCounts): void {
    for (const what of ['hits', 'misses'] as const) {
      this.#counter(`cache_${what}_total`, `Look-ups in a cache: ${what}`, ['cache'], (counter) => {
        for (const [cache, count] of Object.entries(caches)) counter.inc({ cache }, count[what])
      })
    }
  }

  #countRequests(): void {
    this.#counter('requests_total', 'Requests answered', ['operation', 'status'], (counter) => {
      for (const [operation, byStatus] of this.#requests)
        byStatus.forEach((count, status) => counter.inc({ operation, status }, count))
    })
  }

  #countBy(name: string, help: string, label: string, counts: ReadonlyMap<string, number>): void {
    this.#counter(name, help, [label], (counter) => {
      for (const [value, count] of counts) counter.inc({ [label]: value }, count)
    })
  }

  /** A counter that is set from plain numbers each time it is read. */
  #counter(name: string, help: string, labelNames: string[], fill: (counter: Counter) => void): void {
    const counter: Counter = new Counter({
      name: prefix + name,
      help,
      labelNames,
      registers: [this.#registry],
      collect() {
        counter.reset()
        fill(counter)
      },
    })
  }

  #gauge(name: string, help: string, labelNames: string[], collect: () => void): Gauge {
    const registers = [this.#registry]
    return new Gauge({ name: prefix + name, help, labelNames, registers, collect, aggregator: 'max' })
  }
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
