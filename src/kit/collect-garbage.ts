import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * From now on, the heaps of this process are collected when they have grown by so many percent of
 * what was in use, where V8 would let them grow to four times as much.
 */
export function collectEarly(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`)
}

/** Collects the garbage of this thread now. V8 would wait until the thread allocates more. */
export function collectNow(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
}
