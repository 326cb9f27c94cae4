import { setTimeout as sleep } from 'node:timers/promises'
import { connect, connectionName, faultMessage, isReply, Unsuitable, type RedisClient } from './client.ts'
import { storeId } from './keys.ts'
import type { Script } from './script.ts'
import { StoreUnavailable } from '../store.ts'

/** How long a call waits for Redis: a request must be refused within a second. */
const patienceMs = 800

/** How long opening keeps trying: by then a Redis that was started at the same time is ready. */
const openingMs = 3000

/** Redis is out of reach, or answers with an error. `within` adds what could not be done. */
class Fault extends StoreUnavailable {}

/**
 * A connection that is replaced when it is lost, goes silent, or leads to a server that has become
 * a replica. The old one serves until the new one is ready. What was sent and not answered is never
 * sent again: it may have been counted.
 */
export class RedisConnection {
  readonly #url: string
  #client: RedisClient | undefined
  #isRenewing = false
  #isClosed = false
  /** Why there is no connection now. */
  #obstacle: string | undefined
  #storeId: string | undefined

  private constructor(url: string) {
    this.#url = url
  }

  /**
   * @throws {Unsuitable} the server cannot hold a store
   * @throws {StoreUnavailable} there is no answer within some seconds, or a refusal
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
        // Without the cause: that of a failed handshake may contain the password.
        if (isReply(error) || performance.now() > giveUpAtMs)
          throw new StoreUnavailable(faultMessage(error, url))
        await sleep(100)
      }
    }
  }

  /**
   * From now on, uses only a Redis that holds the store with this id, not one that was emptied or
   * is another.
   */
  holdTo(storeId: string): void {
    this.#storeId = storeId
  }

  /**
   * Checks that Redis still holds the store. If it has lost its data, keys that it does not find
   * must not be reported as unknown.
   */
  async checkStore(): Promise<void> {
    const client = this.#client
    const held = await this.command('GET', storeId)
    try {
      this.#compareStoreId(held)
    } catch (error) {
      this.#obstacle = (error as Error).message
      if (client && client === this.#client) {
        this.#client = undefined
        void client.close(patienceMs)
      }
      this.#renew()
      throw new Fault(this.#obstacle)
    }
  }

  #compareStoreId(held: unknown): void {
    if (this.#storeId === undefined || held === this.#storeId) return
    throw new Error(
      held === null
        ? `Redis has lost the store: its "${storeId}" is gone`
        : 'Redis has a different store than before; restart the service to use it',
    )
  }

  /**
   * Runs work that needs Redis, and gives up after the time limit.
   *
   * @param action for the message: "cannot <action>: …"
   * @param whenLate gets a result that comes after the time limit
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
      // An answer that this process was too busy to read is not late: sockets are read before
      // setImmediate runs.
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

  /** Sends a command that has its key as the first argument. */
  async command(name: string, key: string, ...args: string[]): Promise<unknown> {
    return await this.#send(key, [name, key, ...args])
  }

  /**
   * Runs a script. If Redis does not have its text, because it is new or was restarted, it is sent.
   */
  async run(script: Script, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...args]
    try {
      return await this.#send(keys[0]!, ['EVALSHA', script.sha1, ...rest])
    } catch (error) {
      if (!isReply((error as Error).cause, 'NOSCRIPT')) throw error
      return await this.#send(keys[0]!, ['EVAL', script.lua, ...rest])
    }
  }

  get isCluster(): boolean {
    return this.#connected.isCluster
  }

  /** Whether the servers have other connections of this program to the same database. */
  async hasOthers(): Promise<boolean> {
    const found = (await this.#connected.nodes()).map(async (send) => {
      const own = `id=${String(await send(['CLIENT', 'ID']))} `
      const lines = String(await send(['CLIENT', 'LIST'])).split('\n')
      const database = / db=\d+ /.exec(lines.find((line) => line.startsWith(own)) ?? '')?.[0] ?? ''
      const isOurs = (line: string) => line.includes(` name=${connectionName} `) && line.includes(database)
      return lines.some((line) => isOurs(line) && !line.startsWith(own))
    })
    return (await Promise.all(found)).includes(true)
  }

  /** Every key that a pattern of SCAN matches, in portions, in no order; a few perhaps twice. */
  async *scan(pattern: string): AsyncGenerator<string[]> {
    for (const send of await this.#connected.nodes()) {
      let cursor = '0'
      do {
        const reply = await send(['SCAN', cursor, 'MATCH', pattern, 'COUNT', '1000'])
        const [next, names] = reply as [string, string[]]
        cursor = next
        yield names
      } while (cursor !== '0')
    }
  }

  get #connected(): RedisClient {
    if (!this.#client) throw new Fault(this.#obstacle ?? 'there is no connection')
    return this.#client
  }

  /** Lets calls under way finish first. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#obstacle = 'the store is closed'
    const client = this.#client
    this.#client = undefined
    await client?.close(patienceMs)
  }

  async #send(key: string, args: readonly string[]): Promise<unknown> {
    try {
      return await this.#connected.send(key, args)
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
    const check = async (client: RedisClient) =>
      this.#compareStoreId(this.#storeId && (await client.send(storeId, ['GET', storeId])))
    next = await connect(this.#url, { onLost, check })
    if (this.#isClosed) return await next.close(0)
    const former = this.#client
    this.#client = next
    this.#obstacle = undefined
    // It may still answer commands that were sent.
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
