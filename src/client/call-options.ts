/** The options of a single call. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
  /** The time after which the call fails, in milliseconds. It includes waits and retries. */
  timeoutMs?: number | undefined
  /** How the request uses the cache of the browser, as in `fetch`. */
  cache?: RequestInit['cache'] | undefined
}
