import { orAbort, wait } from './wait.ts'

/** The longest random delay after a window, so that clients with one key do not start together. */
const jitterMs = 500

/** The time after which another call is sent to learn the state, if the first one is slow. */
const probeMs = 1000
/** The length of a window. */
const windowMs = 60_000

/**
 * Releases only as many calls as the minute window allows.
 *
 * Invariant: while the state of the window is unknown, one call at a time (and one per second) is
 * sent to learn it for the others. The state is unknown at first, and again in every new window,
 * because the clocks of client and service can differ and other programs can use the same key.
 * After a refused call, `readState` reads it instead, which must not use up a place.
 */
export class Gate {
  /** The calls that can still be sent in this window; null if unknown. */
  #places: number | null = null
  /** The lowest number of places in a response in this window. */
  #fewestPlaces = Infinity
  /** The end of the window, or of the wait after a refused call. */
  #resetAtMs = 0
  /** The end of the window in Unix seconds, as the service names it. */
  #resetName = 0
  #inFlight = 0
  #probedAtMs = 0
  #isRefused = false
  #reading: Promise<void> | null = null
  #pause: { endMs: number; promise: Promise<void> } | null = null
  #change = newChange()
  readonly #readState: (() => Promise<unknown>) | null

  /** @param readState reads the state of the window and passes the headers to `learn` */
  constructor(readState: (() => Promise<unknown>) | null = null) {
    this.#readState = readState
  }

  /**
   * Waits for a place, but not beyond `latestMs`. Returns 0, or the time of the next place in
   * milliseconds from now if that is later.
   */
  async enter(latestMs: number, signal: AbortSignal): Promise<number> {
    for (;;) {
      const now = Date.now()
      if (this.#resetAtMs <= now) this.#places = null
      if (this.#places === null && this.#isRefused && this.#readState) {
        await orAbort(this.#read(), signal)
        continue
      }
      if (this.#takePlace(now)) return 0
      const nextMs = this.#places === null ? this.#probedAtMs + probeMs : this.#resetAtMs
      if (nextMs > latestMs && this.#places !== null) return nextMs - now
      await orAbort(Promise.race([this.#pauseUntil(nextMs), this.#change.promise]), signal)
    }
  }

  #takePlace(now: number): boolean {
    const isProbe = this.#places === null
    const isFree = isProbe ? this.#inFlight === 0 || now >= this.#probedAtMs + probeMs : this.#places! > 0
    if (!isFree) return false
    if (isProbe) this.#probedAtMs = now
    else this.#places!--
    this.#inFlight++
    return true
  }

  /** Returns the place of a call that has ended. `headers` are those of its response. */
  leave(headers?: Headers): void {
    this.#inFlight--
    if (headers) this.learn(headers)
    this.#announce()
  }

  /** Updates the state of the window from response headers. */
  learn(headers: Headers): void {
    const remaining = headers.get('X-RateLimit-Remaining')
    const resetName = Number(headers.get('X-RateLimit-Reset'))
    // A late response of an earlier window.
    if (remaining !== null && resetName < this.#resetName) return
    const isNew = resetName > this.#resetName || this.#places === null
    if (isNew) this.#resetAtMs = remaining === null ? Date.now() + windowMs : resetTime(resetName, headers)
    this.#resetName = resetName
    // Without the headers, no window is known that could be used up.
    const places = remaining === null ? Infinity : Number(remaining)
    // Responses can arrive in a different order than the service counted the requests in.
    this.#fewestPlaces = isNew ? places : Math.min(this.#fewestPlaces, places)
    if (this.#inFlight === 0) this.#places = this.#fewestPlaces
    else if (isNew) this.#places = Math.max(0, places - this.#inFlight)
    else this.#places = Math.min(this.#places!, places)
    this.#isRefused = false
  }

  /** Closes the gate after a refused call. */
  refuse(retryAfterS: number): void {
    const endMs = Date.now() + retryAfterS * 1000 + Math.ceil(randomShare() * jitterMs)
    // The window continues, unless none is known.
    this.#resetAtMs = this.#places === Infinity ? endMs : Math.max(this.#resetAtMs, endMs)
    this.#places = 0
    this.#isRefused = true
  }

  /** Reads the state of the window once for all calls. If this fails, a call learns it. */
  #read(): Promise<void> {
    this.#reading ??= this.#readState!().then(
      () => this.#endReading(),
      () => this.#endReading(),
    )
    return this.#reading
  }

  #endReading(): void {
    this.#isRefused = false
    this.#reading = null
    this.#announce()
  }

  /** One timer for all calls that wait. */
  #pauseUntil(endMs: number): Promise<void> {
    if (this.#pause?.endMs !== endMs) {
      const pause = { endMs, promise: wait(Math.ceil(endMs - Date.now())) }
      this.#pause = pause
      // A timer can fire slightly too early; the next wait then has a new one.
      void pause.promise.then(() => this.#pause === pause && (this.#pause = null))
    }
    return this.#pause.promise
  }

  #announce(): void {
    const { resolve } = this.#change
    this.#change = newChange()
    resolve()
  }
}

/** Returns the time on this machine's clock at which a window ends; later rather than sooner. */
function resetTime(resetS: number, headers: Headers): number {
  // The service's clock, if it is known. `Date` has whole seconds, so this is up to 1 s late.
  const serverMs = Date.parse(headers.get('Date') ?? '')
  const leftMs = resetS * 1000 - (Number.isNaN(serverMs) ? Date.now() : serverMs)
  return Date.now() + Math.min(Math.max(leftMs, 0), windowMs) + Math.ceil(randomShare() * jitterMs)
}

/** Returns a random number from 0 to 1. */
export function randomShare(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 32
}

function newChange() {
  let resolve!: () => void
  const promise = new Promise<void>((callback) => (resolve = callback))
  return { promise, resolve }
}
