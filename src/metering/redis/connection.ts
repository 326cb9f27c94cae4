import { setTimeout as sleep } from 'node:timers/promises'
import { claim, NoStore } from './claim.ts'
import {
  checkServers,
  connect,
  faultMessage,
  hasOthers,
  isReply,
  Unsuitable,
  type RedisClient,
} from './client.ts'
import { storeId } from './keys.ts'
import type { Script } from './script.ts'
import { StoreUnavailable, type StoreOptions } from '../store.ts'

/** The default of `patienceMs` in the options: a request must be refused within a second. */
const defaultPatienceMs = 800

/** How often the settings of the server are checked. */
const checkEveryMs = 5000

/** How long opening is retried at least, so that Redis may be started at the same time. */
const openingMs = 3000

/** Redis is out of reach, or replies with an error. `within` adds what could not be done. */
class Fault extends StoreUnavailable {}
/** Redis did not reply in time, and may still do so. */
class Late extends Fault {}

/**
 * A connection that is replaced when it is lost, goes silent, or leads to a server that has become
 * a replica. The old one is used until the new one is ready. Commands without a reply are never
 * sent again, because they may have been counted.
 */
export class RedisConnection {
  readonly #url: string
  readonly #options: StoreOptions
  readonly #patienceMs: number
  #client: RedisClient | undefined
  #isRenewing = false
  #checking: NodeJS.Timeout | undefined
  #isClosed = false
  /** The reason why there is no connection now. */
  #obstacle: string | undefined
  /**
   * The id of the first store that was found. From then on, only a Redis with this store is used.
   */
  #storeId: string | undefined

  private constructor(url: string, options: StoreOptions) {
    this.#url = url
    this.#options = options
    this.#patienceMs = options.patienceMs ?? defaultPatienceMs
  }

  /**
   * Connects to a Redis that has a store. With `waits`, it returns even if there is none yet.
   *
   * @throws {Unsuitable} the server cannot hold a store
   * @throws {NoStore}
   * @throws {StoreUnavailable} it does not reply within some seconds, or refuses
   */
  static async open(url: string, options: StoreOptions): Promise<RedisConnection> {
    const connection = new RedisConnection(url, options)
    const giveUpAtMs = performance.now() + Math.max(openingMs, connection.#patienceMs)
    for (;;) {
      try {
        await connection.#connect()
        return connection
      } catch (error) {
        const message = faultMessage(error, url)
        if (error instanceof Unsuitable) throw error
        const isPassing = passingReplies.some((code) => isReply(error, code))
        if (isReply(error) && !isPassing) throw new StoreUnavailable(message)
        if (options.waits) {
          options.log?.warn(
            `the store cannot be used: ${message}; requests get 503 until it is available again`,
          )
          connection.#obstacle = message
          void connection.#renew()
          return connection
        }
        if (error instanceof NoStore) throw error
        // Without the cause, because that of a failed handshake may contain the password.
        if (performance.now() > giveUpAtMs) throw new StoreUnavailable(message)
        await sleep(100)
      }
    }
  }

  /**
   * Checks that Redis still has the store. If it has lost its data, keys that it does not find must
   * not be reported as unknown.
   */
  async checkStore(): Promise<void> {
    const storedId = await this.send(storeId, ['GET', storeId])
    if (storedId === this.#storeId) return
    this.#leave(describeOther(storedId))
    throw new Fault(this.#obstacle)
  }

  /**
   * Runs work that needs Redis, and gives up after the time limit.
   *
   * @param action for the message: "cannot <action>: …"
   * @param whenLate receives a result that arrives after the time limit
   * @throws {StoreUnavailable} Redis is out of reach, takes too long, or replies with an error
   */
  async within<T>(action: string, work: () => Promise<T>, whenLate?: (result: T) => void): Promise<T> {
    const result = work()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      const giveUp = () =>
        reject(new Late(this.#obstacle ?? `Redis did not answer within ${this.#patienceMs} ms`))
      // A reply that waits in the socket is not late: sockets are read before setImmediate runs.
      timer = setTimeout(() => setImmediate(giveUp), this.#patienceMs)
    })
    try {
      return await Promise.race([result, late])
    } catch (error) {
      if (error instanceof Late) {
        void this.#renew()
        result.then(whenLate, () => {})
      }
      if (!(error instanceof Fault)) throw error
      throw new StoreUnavailable(`cannot ${action}: ${error.message}`, { cause: error.cause })
    } finally {
      clearTimeout(timer)
    }
  }

  /** Runs a script. If Redis lacks its text, because Redis is new or was restarted, sends it. */
  async run(script: Script, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...args]
    try {
      return await this.send(keys[0]!, ['EVALSHA', script.sha1, ...rest])
    } catch (error) {
      if (!isReply((error as Error).cause, 'NOSCRIPT')) throw error
      return await this.send(keys[0]!, ['EVAL', script.lua, ...rest])
    }
  }

  /** Lets calls in progress finish first. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#checking)
    this.#obstacle = 'the store is closed'
    const client = this.#client
    this.#client = undefined
    await client?.close(this.#patienceMs)
  }

  /** Sends a command to the server that holds a key. */
  async send(key: string, args: readonly string[]): Promise<unknown> {
    try {
      if (!this.#client) throw new Error('there is no connection')
      return await this.#client.send(key, args)
    } catch (error) {
      if (!isReply(error) || isReply(error, 'READONLY')) void this.#renew()
      const reason = isReply(error) ? undefined : this.#obstacle
      throw new Fault(reason ?? faultMessage(error, this.#url), { cause: error })
    }
  }

  async #connect(): Promise<void> {
    let next: RedisClient | undefined
    const onLost = (cause: unknown) => {
      if (next === undefined || this.#client !== next) return
      this.#obstacle = faultMessage(cause, this.#url)
      void this.#renew()
    }
    const check = async (client: RedisClient) => {
      if (this.#storeId !== undefined) {
        const storedId = await client.send(storeId, ['GET', storeId])
        if (storedId !== this.#storeId) throw new Error(describeOther(storedId))
        // The server may have been upgraded, or restored from a backup of an earlier version.
        await claim(client, false)
        return
      }
      if (this.#options.exclusive && (await hasOthers(client)))
        throw new Unsuitable('another process is using it')
      this.#storeId = await claim(client, this.#options.mayCreate ?? false)
    }
    next = await connect(this.#url, onLost, check)
    if (this.#isClosed) return await next.close(0)
    const former = this.#client
    this.#client = next
    this.#checking ??= setInterval(() => void this.#checkServers(), checkEveryMs).unref()
    this.#obstacle = undefined
    // It may still reply to commands that were sent.
    void former?.close(this.#patienceMs)
  }

  /** Refuses calls until a usable server is available. */
  #leave(obstacle: string): void {
    this.#obstacle = obstacle
    void this.#client?.close(this.#patienceMs)
    this.#client = undefined
    void this.#renew()
  }

  /** Leaves a server whose settings were changed so that it can drop counters. */
  async #checkServers(): Promise<void> {
    const client = this.#client
    if (client === undefined) return
    const fault = await checkServers(client).catch((error: unknown) => error)
    // Any other fault shows in the calls.
    if (!(fault instanceof Unsuitable) || this.#client !== client) return
    this.#options.log?.warn(
      `the store cannot be used: ${fault.message}; requests get 503 until it is available again`,
    )
    this.#leave(fault.message)
  }

  /** Connects again, as often as necessary. */
  async #renew(): Promise<void> {
    if (this.#isRenewing) return
    this.#isRenewing = true
    for (let pauseMs = 50; this.#isRenewing && !this.#isClosed; pauseMs = Math.min(2 * pauseMs, 1000)) {
      await sleep(pauseMs, undefined, { ref: false })
      try {
        await this.#connect()
        this.#isRenewing = false
      } catch (error) {
        if (!this.#isClosed) this.#obstacle = faultMessage(error, this.#url)
        // Someone is about to create the store and to send requests.
        if (error instanceof NoStore) pauseMs = 50
      }
    }
  }
}

/** The replies of a Redis that refuses only for now: it is a replica, full or starting. */
const passingReplies = ['READONLY', 'NOREPLICAS', 'OOM', 'MISCONF', 'LOADING', 'MASTERDOWN', 'CLUSTERDOWN']

/** Describes a Redis that does not contain the store that was found first. */
function describeOther(storedId: unknown): string {
  return storedId === null
    ? `Redis has lost the store: its "${storeId}" is gone`
    : 'Redis has a different store than before. Restart the service to use it'
}
