import { BlockList, isIP, SocketAddress } from 'node:net'
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

  /** An IPv4 address also matches in its IPv6 form, in which a dual-stack socket shows it. */
  has(address: string): boolean {
    const family = isIP(address)
    return family !== 0 && this.#list.check(address, family === 4 ? 'ipv4' : 'ipv6')
  }
}

/** How many peers are cached. */
const maxCached = 10_000
/** How many hops of `X-Forwarded-For` are read, from the last one on. */
const maxHops = 32
/** More than an address with a zone index and a port can take. */
const maxHopLength = 128

/** Who sends us requests: a client, or one of our proxies. */
interface Peer {
  address: string
  window: string
  isTrusted: boolean
}

/** Works out whose window a request without a key spends. */
export class ClientAddresses {
  readonly #trusted: TrustedProxies
  /** By peer. */
  readonly #peers = new LRUCache<string, Peer>({ max: maxCached })

  constructor(trusted: TrustedProxies) {
    this.#trusted = trusted
  }

  /**
   * The client's address, of which IPv6 is cut to its /64, the smallest network a customer gets.
   */
  of(peer?: string, forwardedFor?: string): string {
    const known = this.peer(peer)
    const client = this.#clientOf(known, forwardedFor)
    return client === known.address ? known.window : windowOf(client)
  }

  /**
   * The peer's address or, if the peer is a trusted proxy, the last address in `X-Forwarded-For`
   * that is not one.
   *
   * The field of any other peer is not even split: it can have 16 KB, and anybody can send it.
   */
  addressOf(peer?: string, forwardedFor?: string): string {
    return this.#clientOf(this.peer(peer), forwardedFor)
  }

  peer(peer = ''): Peer {
    let known = this.#peers.get(peer)
    if (!known) {
      const address = plainAddress(peer)
      known = { address, window: windowOf(address), isTrusted: this.#trusted.has(address) }
      this.#peers.set(peer, known)
    }
    return known
  }

  #clientOf({ address, isTrusted }: Peer, forwardedFor: string | undefined): string {
    return (isTrusted && forwardedFor !== undefined && this.#clientIn(forwardedFor)) || address
  }

  /**
   * The last hop that is not one of our proxies, else the first that is; null without an address.
   */
  #clientIn(forwardedFor: string): string | null {
    let client: string | null = null
    let end = forwardedFor.length
    for (let hops = 0; hops < maxHops && end >= 0; hops++) {
      const begin = forwardedFor.lastIndexOf(',', end - 1) + 1
      const hop = forwardedFor.slice(begin, end).trim()
      if (hop.length > maxHopLength) break
      const address = plainAddress(withoutPort(hop))
      if (isIP(address) === 0) break
      client = address
      if (!this.#trusted.has(address)) break
      end = begin - 1
    }
    return client
  }
}

function windowOf(address: string): string {
  return isIP(address) === 6 ? networkOf(address) : address
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
  return isIP(plain) === 6 ? normalised(plain).replace(/^::ffff:(?=\d+\.)/, '') : plain
}

/** An IPv6 address as inet_ntop(3) writes it: the longest run of zeros is `::`. */
function normalised(address: string): string {
  return new SocketAddress({ address, family: 'ipv6' }).address
}

/** The /64 network of an IPv6 address. */
function networkOf(address: string): string {
  const [front, back] = normalised(address)
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''))
  const zeros = Array<string>(8).fill('0')
  const groups = back ? [...front!, ...zeros.slice(front!.length + back.length), ...back] : front!
  return `${groups.slice(0, 4).join(':')}::/64`
}
