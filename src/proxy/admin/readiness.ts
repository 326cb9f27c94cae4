import { setTimeout as sleep } from 'node:timers/promises'
import type { MetricObject } from 'prom-client'
import type { Clock } from '#kit/clock.ts'
import type { Counters } from '#metering/store.ts'
import type { Release } from '#release/release.ts'
import type { Followed } from '../followed.ts'

/** Whether a process should be sent requests, and why not. */
export interface Readiness {
  isReady: boolean
  /** Null while none is in service. */
  release: string | null
  /** Since it was built. */
  releaseAgeS: number | null
  /** `ok`, or why requests cannot be metered. */
  store: string
  /**
   * `ok`, or why the published tree could not be read last. A release in service stays in service.
   */
  origin: string
  isDraining: boolean
}

/** The status of one process. It is sent between processes as JSON. */
export interface ProcessStatus {
  readiness: Readiness
  metrics: MetricObject[]
}

const storeTimeoutMs = 2_000

/** Checks everything that a request needs. */
export async function readReadiness(
  release: Followed<Release>,
  counters: Counters,
  clock: Clock,
  isDraining: boolean,
): Promise<Readiness> {
  const storeState = await askStore(counters)
  const manifest = release.current?.manifest
  return {
    isReady: manifest !== undefined && storeState === 'ok' && !isDraining,
    release: manifest?.release ?? null,
    releaseAgeS: manifest ? Math.round((clock.now() - manifest.builtAtMs) / 1000) : null,
    store: storeState,
    origin: release.fault || 'ok',
    isDraining,
  }
}

/** Peeks at the window of an address that no client has, which spends nothing. */
async function askStore(counters: Counters): Promise<string> {
  const asked = counters.peek({ kind: 'address', address: 'readyz', perMinute: 1 }).then(
    () => 'ok',
    (error: Error) => error.message,
  )
  const late = sleep(storeTimeoutMs, `no answer within ${storeTimeoutMs} ms`, { ref: false })
  return await Promise.race([asked, late])
}
