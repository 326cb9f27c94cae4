import type { Counters } from '#metering/store.ts'
import type { Metrics } from './metrics.ts'

/** Puts the time of every call that a request makes of the store into the metrics. */
export function measureCounters(counters: Counters, metrics: Metrics): void {
  for (const name of ['consume', 'peek', 'giveBack'] as const) {
    const call = counters[name].bind(counters) as (...args: unknown[]) => Promise<unknown>
    const measured = (...args: unknown[]): Promise<unknown> => {
      const startMs = performance.now()
      const tell = (isFailed: boolean) => metrics.storeCalled(name, performance.now() - startMs, isFailed)
      const asked = call(...args)
      asked.then(
        () => tell(false),
        () => tell(true),
      )
      return asked
    }
    Object.assign(counters, { [name]: measured })
  }
}
