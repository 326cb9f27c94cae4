import { LRUCache } from 'lru-cache'
import { isKey, keyDigest } from '#metering/key.ts'
import type { KeySubject } from '#metering/store.ts'

/** How many credentials are cached. */
const maxCached = 10_000

/** Reads the key from the `Authorization` field. Only the store knows if the key is in force. */
export class Authenticator {
  /** The digest of the key, by the text of the credential. */
  readonly #subjects = new LRUCache<string, KeySubject>({ max: maxCached })

  /**
   * The key that a request carries as a bearer credential (RFC 6750 section 2.1); null without one,
   * or if it does not have the form of a key.
   */
  subject(authorization: string | undefined): KeySubject | null {
    if (authorization === undefined) return null
    const cached = this.#subjects.get(authorization)
    if (cached) return cached
    const key = /^bearer +(\S+) *$/i.exec(authorization)?.[1]
    if (key === undefined || !isKey(key)) return null
    const subject: KeySubject = { kind: 'key', digest: keyDigest(key) }
    this.#subjects.set(authorization, subject)
    return subject
  }
}
