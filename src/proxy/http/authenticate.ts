import { LRUCache } from 'lru-cache'
import { isKey, keyDigest } from '#metering/key.ts'
import type { Subject } from '#metering/store.ts'

/** How many credentials are remembered. */
const remembered = 10_000
/** The longest of those that are refused: what is longer is no slip of the pen. */
const longestRefused = 256

/**
 * Tells from the `Authorization` field whose request it is. Whether the key is in force, only the
 * store knows.
 */
export class Authenticator {
  /** What follows from the text of a credential alone: the digest of its key. */
  readonly #subjects = new LRUCache<string, Subject>({ max: remembered })
  /** Those that cannot be a key: apart, so that a flood of them pushes no key out. */
  readonly #refused = new LRUCache<string, true>({ max: remembered })

  /**
   * The key that a request carries as a bearer credential (RFC 6750 section 2.1); null where there
   * is none, or what is there cannot be a key: that is told without the store.
   */
  subject(authorization: string | undefined): Subject | null {
    if (authorization === undefined) return null
    const known = this.#subjects.get(authorization)
    if (known) return known
    if (this.#refused.has(authorization)) return null
    const key = /^bearer +(\S+) *$/i.exec(authorization)?.[1]
    if (key === undefined || !isKey(key)) {
      if (authorization.length <= longestRefused) this.#refused.set(authorization, true)
      return null
    }
    const subject: Subject = { kind: 'key', digest: keyDigest(key) }
    this.#subjects.set(authorization, subject)
    return subject
  }
}
