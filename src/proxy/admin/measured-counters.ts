import type { Counters } from '#metering/store.ts'
import type { Metrics } from './metrics.ts'

/** Measures every call of the counters. */
export function measureCounters(counters: Counters, metrics: Metrics): void {
  for (const name of ['consume', 'peek', 'giveBack'] as const) {
    const call = counters[name].bind(counters) as (...args: unknown[]) => Promise<unknown>
    const measured = (...args: unknown[]): Promise<unknown> => {
      const startMs = performance.now()
      const report = (isFailed: boolean) => metrics.storeCalled(name, performance.now() - startMs, isFailed)
      const result = call(...args)
      result.then(
        () => report(false),
        () => report(true),
      )
      return result
    }
    Object.assign(counters, { [name]: measured })
  }
}
