import { LRUCache } from 'lru-cache'
import type { RedisConnection } from './connection.ts'
import * as names from './keys.ts'

/**
 * 50,000 entries of some 300 bytes. Limited by size: by number, a cache allocates all its places at
 * once, which took 12 ms.
 */
export const cacheLimit = { maxSize: 50_000, sizeCalculation: () => 1 }

/**
 * Where a key is stored. Only a rename changes that, so it is cached; whether the key is in force
 * is read each time.
 */
export interface KeyPlace {
  keyId: string
  account: string
  /** In the order of the scripts: account, periods, key, window. */
  names: readonly string[]
}

/** Where keys are stored, by their digests. */
export class KeyPlaces {
  readonly #redis: RedisConnection
  readonly #places = new LRUCache<string, KeyPlace>(cacheLimit)

  constructor(redis: RedisConnection) {
    this.#redis = redis
  }

  /** The place of a key that is cached. */
  get(digest: string): KeyPlace | undefined {
    return this.#places.get(digest)
  }

  /**
   * Finds where a key is stored, and in the same round trip whether Redis still holds the store.
   */
  async find(digest: string): Promise<KeyPlace | undefined> {
    const [pointer] = await Promise.all([
      this.#redis.command('GET', names.digestPointer(digest)),
      this.#redis.checkStore(),
    ])
    // Not cached: an unknown key may be created at any time.
    if (pointer === null) return undefined
    const place = toPlace(pointer as string)
    this.#places.set(digest, place)
    return place
  }
}

/** Parses `<keyId> <account>`: an id has no blanks. */
function toPlace(pointer: string): KeyPlace {
  const blank = pointer.indexOf(' ')
  const keyId = pointer.slice(0, blank)
  const account = pointer.slice(blank + 1)
  const { accountRecord, periods, keyRecord, keyWindow } = names
  return {
    keyId,
    account,
    names: [accountRecord(account), periods(account), keyRecord(account, keyId), keyWindow(account, keyId)],
  }
}
