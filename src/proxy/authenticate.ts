import { isKey, keyDigest } from '#metering/key.ts'

/**
 * The digest of the key that a request carries as a bearer credential (RFC 6750 section 2.1); null where there is none, or what is
 * there cannot be a key: that is told without the store.
 */
export function authenticate(authorization: string | undefined): Buffer | null {
  const key = /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  return key !== undefined && isKey(key) ? keyDigest(key) : null
}
