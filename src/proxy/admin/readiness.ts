import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { MetricObject } from 'prom-client'
import { systemClock } from '#kit/clock.ts'
import type { Counters } from '#metering/store.ts'
import { TreeProbe } from '#release/probe.ts'
import type { Release } from '#release/release.ts'
import type { Followed } from '../followed.ts'

/** Whether a process should receive requests, and the reason if not. */
type Readiness = Awaited<ReturnType<ReadinessProbe['read']>>

/** The status of one process. It is sent between processes as JSON. */
export interface ProcessStatus {
  readiness: Readiness
  metrics: MetricObject[]
}

/** The status of all processes that serve. */
export interface ServiceStatus {
  /** Null for a process that does not answer. */
  processes: (Readiness | null)[]
  metrics: MetricObject[][]
  /** The number of workers that have been replaced. */
  restarts: number
}

const storeTimeoutMs = 2_000
/**
 * The store is written at this interval while it works, and after a failure at the shorter one, at
 * which a file of the tree is always read.
 */
const writeEveryMs = 4_000
const readEveryMs = 1_000

/**
 * Tries the parts that a request needs: a place in a window, and a file past every cache. The
 * tables of a release were compared with their digests when it was opened.
 */
export class ReadinessProbe {
  readonly #release: Followed<Release>
  readonly #counters: Counters
  readonly #tree = new TreeProbe()
  /** `ok`, or the fault of the last attempt. If many ask at once, one attempt is made. */
  readonly #tried = new LRUCache<'write' | 'read', string>({
    max: 2,
    ttl: readEveryMs,
    fetchMethod: async (what, _, { options }) => {
      const outcome = await (what === 'write' ? this.#ask('consume') : this.#readFile())
      if (what === 'write' && outcome === 'ok') options.ttl = writeEveryMs
      return outcome
    },
  })

  constructor(release: Followed<Release>, counters: Counters) {
    this.#release = release
    this.#counters = counters
  }

  async read(isDraining: boolean) {
    const [writeOutcome, peekOutcome, tree] = await Promise.all([
      this.#tried.forceFetch('write'),
      this.#ask('peek'),
      this.#tried.forceFetch('read'),
    ])
    const store = writeOutcome === 'ok' ? peekOutcome : writeOutcome
    const manifest = this.#release.current?.manifest
    return {
      // Without its files, the service still answers from the tables: searches, feeds, usage.
      // Another proxy would have the same origin.
      isReady: manifest !== undefined && store === 'ok' && !isDraining,
      /** Null while no release is in service. */
      release: manifest?.release ?? null,
      /** The time since the release was built. */
      releaseAgeS: manifest ? Math.round((systemClock.now() - manifest.builtAtMs) / 1000) : null,
      /** `ok`, or why requests cannot be metered. */
      store,
      /** `ok`, or why a file of the release, or the pointer to the next, could not be read. */
      origin: tree === 'ok' ? this.#release.fault || 'ok' : tree,
      isDraining,
    }
  }

  /** Uses or reads the window of an address that no client has. */
  async #ask(call: 'consume' | 'peek'): Promise<string> {
    const subject = { kind: 'address', address: 'readyz', perMinute: 1_000 } as const
    const decision = call === 'peek' ? this.#counters.peek(subject) : this.#counters.consume(subject, 0)
    const late = sleep(storeTimeoutMs, `no answer within ${storeTimeoutMs} ms`, { ref: false })
    return await Promise.race([outcomeOf(decision), late])
  }

  async #readFile(): Promise<string> {
    const release = this.#release.current
    return release ? await outcomeOf(this.#tree.read(release)) : 'ok'
  }
}

async function outcomeOf(work: Promise<unknown>): Promise<string> {
  return await work.then(
    () => 'ok',
    (error: Error) => error.message,
  )
}
