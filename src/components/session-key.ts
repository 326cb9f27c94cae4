/**
 * The key that the pages of this tab share. Session storage ends with the tab and is not sent
 * anywhere; the key is in no address, cookie or other storage.
 */
const storageName = 'clip-lookup-key'

/** The key of this tab, or an empty text. */
export function sessionKey(): string {
  return sessionStorage.getItem(storageName) ?? ''
}

/** Keeps a key for the pages of this tab; an empty text forgets it. */
export function keepSessionKey(key: string): void {
  if (key === '') sessionStorage.removeItem(storageName)
  else sessionStorage.setItem(storageName, key)
}

/** The key as pages show it: its beginning and its end. */
export function maskKey(key: string): string {
  return key.length > 12 ? `${key.slice(0, 4)}…${key.slice(-4)}` : '…'
}
