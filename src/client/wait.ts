import type { CallOptions } from './call-options.ts'
import { ClipLookupError } from './error.ts'

/** The longest delay of a timer: longer ones fire at once. */
const maxDelayMs = 2 ** 31 - 1

/** Resolves after a delay. @throws the reason of the signal when it is aborted first */
export async function wait(delayMs: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const delay = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(delayMs, maxDelayMs))
  })
  await orAbort(delay, signal).finally(() => clearTimeout(timer))
}

/** Resolves like `promise`. @throws the reason of the signal when it is aborted first */
export async function orAbort<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return await promise
  let onAbort: () => void
  const abortion = new Promise<never>((_, reject) => {
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- a signal has any reason
    onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort)
  })
  try {
    return await Promise.race([promise, abortion])
  } finally {
    signal.removeEventListener('abort', onAbort!)
  }
}

/**
 * Returns a signal that is aborted when another one is, or with an error after a time. Call
 * `release` when the signal is no longer needed.
 */
export function limitedSignal(
  signal: AbortSignal | undefined,
  limitMs: number,
  error: () => Error,
): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController()
  const abort = () => controller.abort(signal!.reason)
  if (signal?.aborted) abort()
  else signal?.addEventListener('abort', abort)
  const timer = limitMs > maxDelayMs ? undefined : setTimeout(() => controller.abort(error()), limitMs)
  const release = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
  return { signal: controller.signal, release }
}

/** Makes a call with a signal that is aborted with that of the options, or at their deadline. */
export async function withDeadline<T>(
  { signal, timeoutMs = Infinity }: CallOptions,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const error = () => new ClipLookupError('timeout', `the call took longer than ${timeoutMs} ms`)
  const deadline = limitedSignal(signal, timeoutMs, error)
  try {
    return await call(deadline.signal)
  } finally {
    deadline.release()
  }
}
