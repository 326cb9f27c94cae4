/**
 * The names of the keys in Redis. The text in braces decides the slot of a cluster
 * (https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#hash-tags). All data
 * of an account is in one slot, so that a script can change it in one step. What leads to an
 * account is in slots of its own.
 *
 *   clip-lookup:store                      text   the mark of the store and its version
 *   clip-lookup:store-id                   text   random, given to the store when it is made
 *   clip-lookup:cursor-secret              text   base64
 *   clip-lookup:accounts                   zset   names, in the order of creation
 *   clip-lookup:keys                       zset   key ids, in the order of creation
 *   clip-lookup:digest:{<hex>}             text   "<keyId> <account>"; changed by a rename only
 *   clip-lookup:key:{<keyId>}              text   the account; changed by a rename only
 *   clip-lookup:window:{<address>}         text   "<minute> <count>"; expires
 *   clip-lookup:sign-ups:{<address>}       text   "<day> <count>"; expires
 *   clip-lookup:{<account>}:account        hash   plan, createdAtMs, latestPeriodMs
 *   clip-lookup:{<account>}:periods        hash   start in ms → units counted; kept for billing
 *   clip-lookup:{<account>}:key:<keyId>    hash   prefix, last4, enabled, createdAtMs, expiresAtMs
 *   clip-lookup:{<account>}:window:<keyId> text   "<minute> <count>"; expires
 */
const prefix = 'clip-lookup:'

export const storeMark = `${prefix}store`
export const storeId = `${prefix}store-id`
export const cursorSecret = `${prefix}cursor-secret`
export const accountIndex = `${prefix}accounts`
export const keyIndex = `${prefix}keys`

/** The pointer from a key's digest to the key's id and account. */
export const digestPointer = (digest: string) => `${prefix}digest:{${digest}}`
/** The pointer from a key's id to its account. */
export const keyPointer = (keyId: string) => `${prefix}key:{${encodeURIComponent(keyId)}}`
export const addressWindow = (address: string) => `${prefix}window:{${encodeURIComponent(address)}}`
export const signUps = (address: string) => `${prefix}sign-ups:{${encodeURIComponent(address)}}`

export const accountRecord = (account: string) => `${inSlotOf(account)}account`
export const periods = (account: string) => `${inSlotOf(account)}periods`
export const keyRecord = (account: string, keyId: string) =>
  `${inSlotOf(account)}key:${encodeURIComponent(keyId)}`
export const keyWindow = (account: string, keyId: string) =>
  `${inSlotOf(account)}window:${encodeURIComponent(keyId)}`

/** A pattern of SCAN for all keys in the slot of an account. */
export function accountPattern(account: string): string {
  return `${inSlotOf(account).replaceAll('*', '\\*')}*`
}

/** A pattern of SCAN for the pointers of all digests. */
export const digestPattern = `${prefix}digest:*`

/** The digest in the name of a pointer. */
export function digestOf(pointer: string): string {
  return pointer.slice(`${prefix}digest:{`.length, -1)
}

/** The name that a key of one account has in the slot of another. */
export function movedName(name: string, from: string, to: string): string {
  return inSlotOf(to) + name.slice(inSlotOf(from).length)
}

/**
 * The id of the key that a record in an account's slot is of; undefined if it is something else.
 */
export function keyIdOf(name: string, account: string): string | undefined {
  const inSlot = name.slice(inSlotOf(account).length)
  return inSlot.startsWith('key:') ? decodeURIComponent(inSlot.slice('key:'.length)) : undefined
}

/** A name may contain any character, so it is encoded: a brace would end the tag. */
function inSlotOf(account: string): string {
  return `${prefix}{${encodeURIComponent(account)}}:`
}
