import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Makes V8 collect the heaps of this process once they have grown by this percentage. By default,
 * V8 lets them grow to four times their size.
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
