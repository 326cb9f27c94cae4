/**
 * The names of the keys in Redis. What stands in braces decides the slot of a cluster
 * (https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#hash-tags): all of an account is in one, so that a
 * script may touch it in one step; what leads to an account, and what is nobody's, is in a slot of its own.
 *
 *     clip-lookup:store                      text   the mark of the store and its version
 *     clip-lookup:store-id                   text   random, given to the store when it is made
 *     clip-lookup:cursor-secret              text   base64
 *     clip-lookup:accounts                   zset   names, in the order of creation
 *     clip-lookup:keys                       zset   key ids, in the order of creation
 *     clip-lookup:digest:{<hex>}             text   "<keyId> <account>"; never changed
 *     clip-lookup:key:{<keyId>}              text   the account; never changed
 *     clip-lookup:window:{<address>}         text   "<minute> <count>"; expires
 *     clip-lookup:sign-ups:{<address>}       text   "<day> <count>"; expires
 *     clip-lookup:{<account>}:account        hash   plan, createdAtMs, latestPeriodMs (the one last counted in)
 *     clip-lookup:{<account>}:periods        hash   start in ms → units counted; kept for billing
 *     clip-lookup:{<account>}:key:<keyId>    hash   prefix, last4, enabled, createdAtMs, expiresAtMs
 *     clip-lookup:{<account>}:window:<keyId> text   "<minute> <count>"; expires
 */
const prefix = 'clip-lookup:'

export const storeMark = `${prefix}store`
export const storeId = `${prefix}store-id`
export const cursorSecret = `${prefix}cursor-secret`
export const accountIndex = `${prefix}accounts`
export const keyIndex = `${prefix}keys`

/** Where a key's digest leads: the key's id and its account. */
export function digestPointer(digestHex: string): string {
  return `${prefix}digest:{${digestHex}}`
}

/** Where a key's id leads: its account. */
export function keyPointer(keyId: string): string {
  return `${prefix}key:{${encodeURIComponent(keyId)}}`
}

/** The window of a client address. */
export function addressWindow(address: string): string {
  return `${prefix}window:{${encodeURIComponent(address)}}`
}

/** The sign-ups of a client address. */
export function signUps(address: string): string {
  return `${prefix}sign-ups:{${encodeURIComponent(address)}}`
}

export function accountRecord(account: string): string {
  return `${inSlotOf(account)}account`
}

export function periods(account: string): string {
  return `${inSlotOf(account)}periods`
}

export function keyRecord(account: string, keyId: string): string {
  return `${inSlotOf(account)}key:${encodeURIComponent(keyId)}`
}

export function keyWindow(account: string, keyId: string): string {
  return `${inSlotOf(account)}window:${encodeURIComponent(keyId)}`
}

/** A name may hold anything, so it is encoded: a brace in it would end the tag. */
function inSlotOf(account: string): string {
  return `${prefix}{${encodeURIComponent(account)}}:`
}
