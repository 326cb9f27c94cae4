import { setTimeout as sleep } from 'node:timers/promises'
import { connect, faultMessage, isReply, Unsuitable, type RedisClient } from './client.ts'
import type { Script } from './scripts.ts'
import { StoreUnavailable } from '../store.ts'

/** How long a call waits for Redis, in milliseconds: who is refused for want of it has to know within a second. */
const patienceMs = 800

/** How long the opening keeps trying, in milliseconds: a Redis that starts beside us is there by then. */
const openingMs = 3000

/** A Redis that is out of reach, or answers with an error. `within` says of what. */
class Fault extends Error {}

/**
 * A connection that is made anew when it is lost, goes silent, or leads to a server that has become a replica. The old one
 * serves until the new one stands. What was sent and not answered is never sent again: it may have been counted.
 */
export class RedisConnection {
  readonly #url: string
  #client: RedisClient | undefined
  #isRenewing = false
  #isClosed = false
  /** Why there is no connection at present. */
  #obstacle: string | undefined

  private constructor(url: string) {
    this.#url = url
  }

  /**
   * @throws {Unsuitable} what answers will not do
   * @throws {StoreUnavailable} nobody answers within some seconds, or refuses
   */
  static async open(url: string): Promise<RedisConnection> {
    const connection = new RedisConnection(url)
    const giveUpAtMs = performance.now() + openingMs
    for (;;) {
      try {
        await connection.#connect()
        return connection
      } catch (error) {
        if (error instanceof Unsuitable) throw error
        // without the cause: that of a bad handshake may hold the password
        if (isReply(error) || performance.now() > giveUpAtMs)
          throw new StoreUnavailable(faultMessage(error, url))
        await sleep(100)
      }
    }
  }

  /**
   * Does something that needs Redis, in good time.
   *
   * @param action what a message says of it: "cannot <action>: …"
   * @param whenLate is given what came of it after it was given up
   * @throws {StoreUnavailable} Redis is out of reach, takes too long, or answers with an error
   */
  within<T>(action: string, work: () => Promise<T>, whenLate?: (result: T) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      let isSettled = false
      const unavailable = (reason: string, cause?: unknown) =>
        reject(new StoreUnavailable(`cannot ${action}: ${reason}`, { cause }))
      const giveUp = () => {
        if (isSettled) return
        isSettled = true
        this.#renew()
        unavailable(this.#obstacle ?? `Redis did not answer within ${patienceMs} ms`)
      }
      // an answer that lies there unread, because this process was busy, is not late: reading comes before setImmediate
      const timer = setTimeout(() => setImmediate(giveUp), patienceMs)
      const settle = (finish: () => void) => {
        clearTimeout(timer)
        if (!isSettled) finish()
        isSettled = true
      }
      work().then(
        (result) => {
          if (isSettled) whenLate?.(result)
          settle(() => resolve(result))
        },
        (error: Error) =>
          settle(() => (error instanceof Fault ? unavailable(error.message, error.cause) : reject(error))),
      )
    })
  }

  /** A command with its key as the first argument. */
  async command(name: string, key: string, ...args: string[]): Promise<unknown> {
    return await this.#send(key, [name, key, ...args])
  }

  /** A script: in one step, as nothing else runs beside it. Redis is given its text where it lacks it: when it is new, or has been restarted. */
  async run(script: Script, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...args]
    try {
      return await this.#send(keys[0]!, ['EVALSHA', script.sha1, ...rest])
    } catch (error) {
      if (!isReply((error as Error).cause, 'NOSCRIPT')) throw error
      return await this.#send(keys[0]!, ['EVAL', script.lua, ...rest])
    }
  }

  /** Lets what is under way end first. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#obstacle = 'the store is closed'
    const client = this.#client
    this.#client = undefined
    await client?.close(patienceMs)
  }

  async #send(key: string, args: readonly string[]): Promise<unknown> {
    try {
      if (!this.#client) throw new Error('there is no connection')
      return await this.#client.send(key, args)
    } catch (error) {
      if (!isReply(error) || isReply(error, 'READONLY')) this.#renew()
      const reason = isReply(error) ? undefined : this.#obstacle
      throw new Fault(reason ?? faultMessage(error, this.#url), { cause: error })
    }
  }

  async #connect(): Promise<void> {
    let next: RedisClient | undefined
    const onLost = (cause: unknown) => {
      if (next === undefined || this.#client !== next) return
      this.#obstacle = faultMessage(cause, this.#url)
      this.#renew()
    }
    next = await connect(this.#url, onLost)
    if (this.#isClosed) return await next.close(0)
    const former = this.#client
    this.#client = next
    this.#obstacle = undefined
    // what it still owes may yet come
    void former?.close(patienceMs)
  }

  #renew(): void {
    if (this.#isRenewing || this.#isClosed) return
    this.#isRenewing = true
    void this.#keepConnecting().finally(() => (this.#isRenewing = false))
  }

  async #keepConnecting(): Promise<void> {
    for (let pauseMs = 50; !this.#isClosed; pauseMs = Math.min(2 * pauseMs, 1000)) {
      await sleep(pauseMs, undefined, { ref: false })
      try {
        return await this.#connect()
      } catch (error) {
        if (!this.#isClosed) this.#obstacle = faultMessage(error, this.#url)
      }
    }
  }
}
