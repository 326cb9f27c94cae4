import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry, type MetricObject } from 'prom-client'
import { errorCodes } from '#contract/errors.ts'
import { operations } from '#contract/operations.ts'
import { systemClock } from '#kit/clock.ts'
import type { Counters } from '#metering/store.ts'
import { treeFaultReasons, type Tree, type TreeFaultReason } from '#release/tree.ts'
import type { FollowedRelease } from '../followed.ts'
import type { AnsweredRequest } from '../http/exchange.ts'

const prefix = 'clip_lookup_'
const statuses = [200, 204, 304, 400, 401, 404, 405, 408, 414, 429, 431, 499, 500, 503]

/** The label for the site, preflights, and bytes that cannot be parsed. */
const notAnOperation = 'none'

/** The buckets, from a cached response to the time limit of an origin. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The metrics of one process. Labels have few values: never a key, an account or a clip. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #requests = this.#counter('requests_total', 'Requests answered', ['operation', 'status'])
  readonly #rejected = this.#counter('rejected_total', 'Requests refused, by error code', ['reason'])
  readonly #storeErrors = this.#counter('store_errors_total', 'Failed calls to the store', ['call'])
  readonly #originErrors = this.#counter('origin_errors_total', 'Failed requests to the origin', ['reason'])
  readonly #durations = this.#histogram('request_duration_seconds', 'Time to answer a request', 'operation')
  readonly #storeDurations = this.#histogram('store_duration_seconds', 'Time that the store takes', 'call')

  /** @param caches the hits and misses of each cache, keyed by its name */
  constructor(
    release: FollowedRelease,
    tree: Tree,
    caches: Record<string, { hits: number; misses: number }>,
  ) {
    collectDefaultMetrics({ register: this.#registry })
    // Gauges with the name of a counter; those without the suffix say the same.
    for (const what of ['handles', 'requests', 'resources'])
      this.#registry.removeSingleMetric(`nodejs_active_${what}_total`)
    // Otherwise, it would be left out when the metrics of several processes are combined.
    Object.assign(this.#registry.getSingleMetric('process_start_time_seconds')!, { aggregator: 'min' })
    this.#startAtZero()
    this.#addGauges(release, tree)
    for (const what of ['hits', 'misses'] as const) {
      const counter = this.#counter(`cache_${what}_total`, `Look-ups in a cache: ${what}`, ['cache'], () => {
        counter.reset()
        for (const [cache, count] of Object.entries(caches)) counter.inc({ cache }, count[what])
      })
    }
  }

  countRequest(request: AnsweredRequest, treeFault: TreeFaultReason | null): void {
    const { operation: id, status, code, durationMs } = request
    const operation = id ?? notAnOperation
    this.#requests.inc({ operation, status })
    this.#durations.observe({ operation }, durationMs / 1000)
    if (code !== null && code !== 'not_found') this.#rejected.inc({ reason: code })
    if (treeFault !== null) this.#originErrors.inc({ reason: treeFault })
  }

  /** Wraps the counters so that every call is measured. */
  measureCounters(counters: Counters): Counters {
    const measure = async <T>(call: string, answer: Promise<T>): Promise<T> => {
      const end = this.#storeDurations.startTimer({ call })
      try {
        return await answer
      } catch (error) {
        this.#storeErrors.inc({ call })
        throw error
      } finally {
        end()
      }
    }
    return {
      consume: (subject, units) => measure('consume', counters.consume(subject, units)),
      peek: (subject) => measure('peek', counters.peek(subject)),
      giveBack: (receipt) => measure('giveBack', counters.giveBack(receipt)),
      keyIdOf: (digest) => counters.keyIdOf(digest),
    }
  }

  /** Returns all metrics in the form that prom-client aggregates. */
  read(): Promise<MetricObject[]> {
    return this.#registry.getMetricsAsJSON()
  }

  #addGauges(release: FollowedRelease, tree: Tree): void {
    const info = this.#gauge('release_info', 'The release in service', ['release'], () => {
      info.reset()
      if (release.current) info.set({ release: release.current.manifest.release }, 1)
    })
    const gauge = (name: string, help: string, readValue: () => number | null | undefined) => {
      const each = this.#gauge(name, help, [], () => {
        const value = readValue()
        if (value == null) each.remove()
        else each.set(value)
      })
    }
    gauge('rollback_active', '1 while a rollback holds the release in service', () =>
      Number(release.rollbackSince !== null),
    )
    const secondsOf = (ms: number | null) => ms && ms / 1000
    gauge('rollback_timestamp_seconds', 'When the current rollback began', () =>
      secondsOf(release.rollbackSince === null ? null : Date.parse(release.rollbackSince)),
    )
    gauge('release_age_seconds', 'Time since the release in service was built', () =>
      secondsOf(release.current && systemClock.now() - release.current.manifest.builtAtMs),
    )
    // A high age does not indicate a fault, because an unchanged source makes no new release.
    gauge('pointer_read_timestamp_seconds', 'When the pointer to the release in service was last read', () =>
      secondsOf(release.pointerReadAtMs),
    )
    gauge('pointer_modified_timestamp_seconds', 'When the last build or publication ended', () =>
      secondsOf(tree.pointerModifiedAtMs),
    )
    const bytesOfBuffers = () => process.memoryUsage().arrayBuffers
    gauge('array_buffers_bytes', 'Memory of Buffers, cached answers included', bytesOfBuffers)
  }

  /**
   * If a counter appeared only with its first event, an alert would see no increase
   * (https://prometheus.io/docs/practices/instrumentation/#avoid-missing-metrics).
   */
  #startAtZero(): void {
    for (const operation of [...operations.map(({ id }) => id), notAnOperation]) {
      for (const status of statuses) this.#requests.inc({ operation, status }, 0)
      this.#durations.zero({ operation })
    }
    for (const reason of Object.keys(errorCodes)) this.#rejected.inc({ reason }, 0)
    for (const reason of treeFaultReasons) this.#originErrors.inc({ reason }, 0)
    for (const call of ['consume', 'peek', 'giveBack']) {
      this.#storeErrors.inc({ call }, 0)
      this.#storeDurations.zero({ call })
    }
  }

  #counter(name: string, help: string, labelNames: string[], collect?: () => void): Counter {
    const registers = [this.#registry]
    return new Counter({ name: prefix + name, help, labelNames, registers, ...(collect ? { collect } : {}) })
  }

  #histogram(name: string, help: string, label: string): Histogram {
    const registers = [this.#registry]
    return new Histogram({ name: prefix + name, help, labelNames: [label], buckets, registers })
  }

  #gauge(name: string, help: string, labelNames: string[], collect: () => void): Gauge {
    const registers = [this.#registry]
    return new Gauge({ name: prefix + name, help, labelNames, registers, collect, aggregator: 'max' })
  }
}
