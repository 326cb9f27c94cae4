import { BlockList, isIP, SocketAddress } from 'node:net'

/** The number of hops of `X-Forwarded-For` that are read, starting with the last one. */
const maxHops = 32

/** The addresses of the operator's proxies, whose `X-Forwarded-For` is trusted. */
export class TrustedProxies {
  readonly #list = new BlockList()

  /** @throws {RangeError} `text` is not a list such as `127.0.0.1, 10.0.0.0/8` */
  constructor(text: string) {
    for (const item of text.split(',').map((part) => part.trim())) {
      if (item === '') continue
      const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(item) ?? []
      const family = isIP(address)
      const width = family === 4 ? 32 : 128
      const prefix = Number(bits ?? width)
      if (family === 0 || prefix > width)
        throw new RangeError(
          `--trust-proxy must list addresses and networks like 10.0.0.0/8, but it contains "${item}"`,
        )
      this.#list.addSubnet(address, prefix, `ipv${family as 4 | 6}`)
    }
  }

  /** An IPv4 address also matches in its IPv6 form, which a dual-stack socket shows. */
  has(address = ''): boolean {
    const family = isIP(address) as 0 | 4 | 6
    return family !== 0 && this.#list.check(address, `ipv${family}`)
  }

  /**
   * Returns the peer's address or, if the peer is a trusted proxy, the last address in
   * `X-Forwarded-For` that is not one, or else the first that is.
   *
   * The header of any other peer is not even split, because it can have 16 KB, and anyone can send
   * it.
   */
  clientOf(peer = '', forwardedFor?: string): string {
    let client = plainAddress(peer)
    if (forwardedFor === undefined || !this.has(client)) return client
    for (const hop of forwardedFor.split(',').slice(-maxHops).reverse()) {
      const address = plainAddress(withoutPort(hop.trim()))
      if (isIP(address) === 0) break
      client = address
      if (!this.has(address)) break
    }
    return client
  }
}

/**
 * Returns the network whose window a client's address uses: for an IPv6 address its /64, the
 * smallest network that a customer gets.
 */
export function windowOf(address: string): string {
  if (isIP(address) !== 6) return address
  const [front, back] = normaliseAddress(address)
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''))
  const zeros = Array<string>(8).fill('0')
  const groups = back ? [...front!, ...zeros.slice(front!.length + back.length), ...back] : front!
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** Removes the port, which some gateways add: `192.0.2.7:5678`, `[2001:db8::1]:5678`. */
function withoutPort(hop: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? hop.replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
}

/**
 * Returns the address without a zone index, and as IPv4 if it is mapped into IPv6 (RFC 4291 section
 * 2.5.5.2).
 */
function plainAddress(address: string): string {
  const plain = address.replace(/%.*$/, '')
  return isIP(plain) === 6 ? normaliseAddress(plain).replace(/^::ffff:(?=\d+\.)/, '') : plain
}

/** Returns an IPv6 address in the form of inet_ntop(3): the longest run of zeros becomes `::`. */
function normaliseAddress(address: string): string {
  return new SocketAddress({ address, family: 'ipv6' }).address
}
