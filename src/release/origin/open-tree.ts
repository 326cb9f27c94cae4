import { folderTree, type Tree } from '../tree.ts'
import { DiskCache } from './disk-cache.ts'
import { httpTree } from './http-tree.ts'
import { parseOriginAddress } from './origin-address.ts'
import { OriginClient } from './origin-client.ts'

export interface TreeOptions {
  /** Sent to the origin as a bearer credential. */
  token?: string | undefined
  /** Where files read from the origin are kept; null: nowhere. */
  cacheFolder: string | null
  /** How often the pointer is read over HTTP. */
  followEveryMs: number
  /** Whether plain http is allowed to any address. */
  isInsecureAllowed?: boolean
}

export function isHttpAddress(data: string): boolean {
  return /^https?:\/\//i.test(data)
}

/**
 * The tree that `--data` names: a folder, or the address of an origin.
 *
 * @throws {TypeError} the address is not one to read from, or the token cannot be sent
 */
export function openTree(data: string, options: TreeOptions): Tree {
  if (!isHttpAddress(data)) return folderTree(data)
  const root = parseOriginAddress(data, options.isInsecureAllowed ?? false)
  // RFC 6750 section 2.1.
  if (options.token && !/^[\w.~+/-]+=*$/.test(options.token))
    throw new TypeError(
      'the data token must have only letters, digits and -._~+/=, without a blank or a line feed at its end',
    )
  const client = new OriginClient(root, options.token)
  const disk = options.cacheFolder === null ? null : new DiskCache(options.cacheFolder)
  return httpTree(client, disk, options.followEveryMs)
}
