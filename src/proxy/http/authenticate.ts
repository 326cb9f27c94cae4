import { isKey, keyDigest } from '#metering/key.ts'
import type { KeySubject } from '#metering/store.ts'

/**
 * The key that a request carries as a bearer credential (RFC 6750 section 2.1); null without one,
 * or if it does not have the form of a key. Only the store knows if the key is in force; the
 * checksum spares it keys that nobody made.
 *
 * Nothing is cached here: a digest takes a microsecond, and cached keys end up in core dumps.
 *
 * @param isKnown whether the key of this digest was in force recently
 */
export function readKey(
  authorization: string | undefined,
  isKnown: (digest: string) => boolean,
): KeySubject | null {
  const key = authorization && /^bearer +(\w{42}) *$/i.exec(authorization)?.[1]
  if (!key) return null
  const digest = keyDigest(key)
  return isKnown(digest) || isKey(key) ? { kind: 'key', digest } : null
}
