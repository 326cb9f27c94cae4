import { foldName } from '../account-name.ts'

/**
 * The names of the keys in Redis. The text in braces decides the slot of a cluster
 * (https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#hash-tags). All data
 * of an account is in one slot, so that a script can change it in one step. What leads to an
 * account is in slots of its own.
 * An account has an id of its own, so that a rename moves nothing.
 *
 *   clip-lookup:store                 text   the mark of the store and its version
 *   clip-lookup:store-id              text   random, given to the store when it is made
 *   clip-lookup:cursor-secret         text   base64
 *   clip-lookup:accounts              zset   ids, deleted ones too, in the order of creation
 *   clip-lookup:keys                  zset   key ids, in the order of creation
 *   clip-lookup:changes               list   the log of changes: "<ms> <JSON>"
 *   clip-lookup:name:{<folded name>}  text   the id of the account that has the name
 *   clip-lookup:deleted:{<folded>}    set    the ids of the deleted accounts that had the name
 *   clip-lookup:digest:{<hex>}        text   "<keyId> <id>"
 *   clip-lookup:key:{<keyId>}         text   the id of the account
 *   clip-lookup:window:{<address>}    text   "<minute> <count>"; expires
 *   clip-lookup:sign-ups:{<network>}  text   "<day> <count>"; expires
 *   clip-lookup:{<id>}:account        hash   name, plan, createdAtMs, bySignUp, latestPeriodMs,
 *   deletedAtMs clip-lookup:{<id>}:periods        hash   start in ms → units counted; kept for
 *   billing;
 *                                            "<start>:plan" → "<plan> <units a period> <requests a
 *                                            minute>"
 *   clip-lookup:{<id>}:keys           hash   keyId → digest
 *   clip-lookup:{<id>}:key:<keyId>    hash   prefix, last4, enabled, createdAtMs, expiresAtMs
 *   clip-lookup:{<id>}:window:<keyId> text   "<minute> <count>"; expires
 */
const prefix = 'clip-lookup:'

export const storeMark = `${prefix}store`
export const storeId = `${prefix}store-id`
export const cursorSecret = `${prefix}cursor-secret`
export const accountIndex = `${prefix}accounts`
export const changes = `${prefix}changes`
export const keyIndex = `${prefix}keys`

/** The pointer from an account's name to its id. */
export const namePointer = (name: string) => `${prefix}name:${tag(foldName(name))}`
export const deletedAccounts = (name: string) => `${prefix}deleted:${tag(foldName(name))}`
/** The pointer from a key's digest to the key's id and account. */
export const digestPointer = (digest: string) => `${prefix}digest:{${digest}}`
/** The pointer from a key's id to its account. */
export const keyPointer = (keyId: string) => `${prefix}key:${tag(keyId)}`
export const addressWindow = (address: string) => `${prefix}window:${tag(address)}`
export const signUps = (network: string) => `${prefix}sign-ups:${tag(network)}`

export const accountRecord = (id: string) => `${prefix}{${id}}:account`
export const periods = (id: string) => `${prefix}{${id}}:periods`
export const accountKeys = (id: string) => `${prefix}{${id}}:keys`
export const keyRecord = (id: string, keyId: string) => `${prefix}{${id}}:key:${keyId}`
export const keyWindow = (id: string, keyId: string) => `${prefix}{${id}}:window:${keyId}`

/** A name may contain any character, so it is encoded: a brace would end the tag. */
function tag(name: string): string {
  return `{${encodeURIComponent(name)}}`
}
