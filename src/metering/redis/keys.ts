import type { ListName } from '../records.ts'

/**
 * The names of the keys in Redis. The text in braces decides the slot of a cluster
 * (https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#hash-tags). All data
 * of an account is in one slot, so that a script can change it in one step. The keys that lead to
 * an account are in other slots. An account has an id, so that renaming it moves no data.
 *
 *   clip-lookup:store                  text  the mark of the store and its version
 *   clip-lookup:store-id               text  random, given to the store when it is made
 *   clip-lookup:cursor-secret          text  base64
 *   clip-lookup:accounts               list  account ids, in the order of creation
 *   clip-lookup:changes                list  the log of changes: JSON
 *   clip-lookup:name:{<folded name>}   text  the id of the account that has the name
 *   clip-lookup:digest:{<hex>}         text  the id of the account that has the key
 *   clip-lookup:key:{<keyId>}          text  the same
 *   clip-lookup:account:{<id>}         text  "<version> <JSON>": the account with its keys
 *   clip-lookup:counts:{<id>}          hash  start of a period in ms → units; "<start>:plan" →
 *                                            JSON; latest → the start of the period last counted in
 *   clip-lookup:counts:{<id>}:<keyId>  hash  the same of a key; latest → the day of its last use
 *   clip-lookup:window:{<id>}:<keyId>  text  "<minute> <count>"; expires
 *   clip-lookup:window:{<address>}     text  "<minute> <count>"; expires
 *   clip-lookup:sign-ups:{<network>}   text  "<day> <count>"; expires
 */
const prefix = 'clip-lookup:'

export const storeMark = `${prefix}store`
export const storeId = `${prefix}store-id`

export const listKey = (list: ListName) => prefix + list
export const addressWindow = (address: string) => `${prefix}window:${tag(address)}`
export const keyWindow = (id: string, keyId: string) => `${prefix}window:${tag(id)}:${keyId}`
export const countsKey = (id: string, keyId?: string) =>
  `${prefix}counts:${tag(id)}${keyId === undefined ? '' : `:${keyId}`}`

/** Returns the key of a text, by its name from `textNames`. */
export function textKey(name: string): string {
  const colon = name.indexOf(':')
  return colon === -1 ? prefix + name : `${prefix}${name.slice(0, colon)}:${tag(name.slice(colon + 1))}`
}

/** A name may contain any character, so it is encoded: a brace would end the tag. */
function tag(name: string): string {
  return `{${encodeURIComponent(name)}}`
}
