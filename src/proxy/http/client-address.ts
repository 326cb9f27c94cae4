import { BlockList, isIP } from 'node:net'
import { LRUCache } from 'lru-cache'

/** The addresses of our own proxies, whose `X-Forwarded-For` is trusted. */
export class TrustedProxies {
  readonly #list = new BlockList()

  /**
   * `text` holds addresses and networks, comma separated: `127.0.0.1, 10.0.0.0/8`. @throws
   * {RangeError} at the first that is neither
   */
  constructor(text: string) {
    for (const item of text.split(',').map((part) => part.trim())) {
      if (item === '') continue
      const [address, bits, ...more] = item.split('/') as [string, string?, ...string[]]
      const family = isIP(address)
      const width = family === 4 ? 32 : 128
      const isWidth = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= width)
      if (family === 0 || !isWidth || more.length > 0) {
        throw new RangeError(`--trust-proxy must list addresses and networks like 10.0.0.0/8, got "${item}"`)
      }
      this.#list.addSubnet(address, bits === undefined ? width : Number(bits), family === 4 ? 'ipv4' : 'ipv6')
    }
  }

  has(address: string): boolean {
    const family = isIP(address)
    return family !== 0 && this.#list.check(address, family === 4 ? 'ipv4' : 'ipv6')
  }
}

/** How many peers are cached. */
const maxCached = 10_000

/** Works out whose window a request without a key spends. */
export class ClientAddresses {
  readonly #trusted: TrustedProxies
  /** By peer, for requests that were not forwarded. */
  readonly #direct = new LRUCache<string, string>({ max: maxCached })

  constructor(trusted: TrustedProxies) {
    this.#trusted = trusted
  }

  /**
   * The peer's address or, if the peer is a trusted proxy, the last address in `X-Forwarded-For`
   * that is not one. IPv6 addresses are cut to their /64, the smallest network that a customer
   * gets.
   */
  of(peer = '', forwardedFor?: string): string {
    const known = forwardedFor === undefined ? this.#direct.get(peer) : undefined
    if (known !== undefined) return known
    const address = this.#resolve(plainAddress(peer), forwardedFor ?? '')
    const window = isIP(address) === 6 ? networkOf(address) : address
    if (forwardedFor === undefined) this.#direct.set(peer, window)
    return window
  }

  #resolve(peer: string, forwardedFor: string): string {
    let address = peer
    const hops = forwardedFor.split(',').map((hop) => plainAddress(withoutPort(hop.trim())))
    while (this.#trusted.has(address) && hops.length > 0) {
      const hop = hops.pop()!
      if (isIP(hop) === 0) break
      address = hop
    }
    return address
  }
}

/** Some gateways write the port too: `192.0.2.7:5678`, `[2001:db8::1]:5678`. */
function withoutPort(hop: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? hop.replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
}

/**
 * The address without a zone index; as IPv4 if it is one that is mapped into IPv6 (RFC 4291 section
 * 2.5.5.2).
 */
function plainAddress(address: string): string {
  const plain = address.replace(/%.*$/, '')
  if (isIP(plain) !== 6) return plain
  const groups = groupsOf(plain)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  return isMapped ? groups.slice(6).flatMap(bytesOf).join('.') : plain
}

/** The /64 network of an IPv6 address. */
function networkOf(address: string): string {
  const groups = groupsOf(address).slice(0, 4)
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const inGroups = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) =>
    [(+a << 8) | +b, (+c << 8) | +d].map((group) => group.toString(16)).join(':'),
  )
  const [head = '', tail] = inGroups.split('::')
  const read = (part: string) => (part === '' ? [] : part.split(':').map((group) => parseInt(group, 16)))
  if (tail === undefined) return read(head)
  const [front, back] = [read(head), read(tail)]
  return [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back]
}

function bytesOf(group: number): number[] {
  return [group >> 8, group & 255]
}
