import { BlockList, isIP } from 'node:net'
import { FolderTree, type Tree } from '../tree.ts'
import { DiskCache } from './disk-cache.ts'
import { HttpTree } from './http-tree.ts'
import { OriginClient } from './origin-client.ts'

export interface TreeOptions {
  /** Sent to the origin as a bearer credential. */
  token?: string | undefined
  /** The folder for files that were read from the origin; null: they are not stored. */
  cacheFolder: string | null
  /** How often the pointer is read over HTTP. */
  followEveryMs: number
  /** Whether plain http is allowed to any address. */
  isInsecureAllowed?: boolean
  onNote?: (message: string) => void
}

export function isHttpAddress(data: string): boolean {
  return /^https?:\/\//i.test(data)
}

/**
 * Opens the tree that `--data` names: a folder, or the address of an origin.
 *
 * @throws {TypeError} the address cannot be read from, or the token cannot be sent
 */
export function openTree(data: string, options: TreeOptions): Tree {
  if (!isHttpAddress(data)) return new FolderTree(data)
  const root = parseOriginAddress(data, options.isInsecureAllowed ?? false)
  // RFC 6750 section 2.1.
  if (options.token && !/^[\w.~+/-]+=*$/.test(options.token))
    throw new TypeError(
      'the data token must consist of letters, digits and -._~+/=, without a space or a line break at its end',
    )
  const client = new OriginClient(root, options.token)
  const disk = options.cacheFolder === null ? null : new DiskCache(options.cacheFolder, options.onNote)
  return new HttpTree(client, disk, options.followEveryMs, { onNote: options.onNote })
}

/**
 * Loopback, private and link-local networks (RFC 1918, 3927, 4193, 4291). Requests to them do not
 * cross the internet.
 */
const privateNetworks = new BlockList()
const privateIpv4 = { '127.0.0.0': 8, '10.0.0.0': 8, '172.16.0.0': 12, '192.168.0.0': 16, '169.254.0.0': 16 }
for (const [network, bits] of Object.entries(privateIpv4)) privateNetworks.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of Object.entries({ '::1': 128, 'fc00::': 7, 'fe80::': 10 }))
  privateNetworks.addSubnet(network, bits, 'ipv6')

/**
 * Returns the address of an origin, ending in a slash.
 *
 * @param isInsecureAllowed whether plain http is allowed to other than private addresses
 * @throws {TypeError} it is not an http or https address, or must not be read without TLS
 */
export function parseOriginAddress(address: string, isInsecureAllowed: boolean): URL {
  const url = URL.parse(address.endsWith('/') ? address : `${address}/`)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new TypeError(`"${address}" is not an http or https address`)
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new TypeError(
      `the address "${url.origin}${url.pathname}" must have no credentials, query or fragment`,
    )
  if (url.protocol === 'http:' && !isInsecureAllowed && !isPrivate(url.hostname))
    throw new TypeError(
      `cannot read a tree from "${address}": the address must begin with https://, unless it is a loopback or private address or --insecure-origin is set`,
    )
  return url
}

function isPrivate(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  const family = isIP(address)
  return family !== 0 && privateNetworks.check(address, family === 4 ? 'ipv4' : 'ipv6')
}
