import { setTimeout as sleep } from 'node:timers/promises'
import { connect, faultMessage, isReply, Unsuitable, type RedisClient } from './redis-client.ts'
import type { Script } from './redis-scripts.ts'
import { StoreUnavailable } from './store.ts'

/** How long a call waits for Redis: an answer is due within a second (contract: 503, not a hanging request). */
const patienceMs = 800

/** How long the opening keeps trying, in milliseconds: a Redis that starts beside us is there by then. */
const openingMs = 3000

/** Redis failed us, or is out of reach; `within` makes it StoreUnavailable. */
class Fault extends Error {}

/**
 * A connection that is made anew whenever it is lost, goes silent, or leads to a server that has become a replica. The old
 * one serves until the new one stands. What was sent and not answered is never sent again: it may have been counted.
 */
export class RedisConnection {
  readonly #url: string
  #client: RedisClient
  #isRenewing = false
  #isClosed = false
  /** Why the last attempt to connect failed. */
  #obstacle: string | undefined

  private constructor(url: string, client: (onLost: () => void) => Promise<RedisClient>) {
    this.#url = url
    this.#client = nowhere
    this.#connectBy = client
  }

  #connectBy: (onLost: () => void) => Promise<RedisClient>

  static async open(url: string): Promise<RedisConnection> {
    throw new Error('draft')
  }
}
