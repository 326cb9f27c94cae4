/** The most clients to remember. If there are more in a minute, the oldest are forgotten. */
const clientsMax = 100_000
const windowMs = 60_000

/** The minute windows of the clients of a forwarder. */
export class ClientWindows {
  readonly #perMinute: number
  #minute = 0
  #counts = new Map<string, number>()

  constructor(perMinute: number) {
    this.#perMinute = perMinute
  }

  /** Takes a place in the window of a client. If there is none, `retryAfter` is positive. */
  consume(address: string): { retryAfter: number; headers: Record<string, string> } {
    const now = Date.now()
    const minute = Math.floor(now / windowMs)
    if (minute !== this.#minute) this.#counts.clear()
    this.#minute = minute
    const client = groupOf(address)
    const count = (this.#counts.get(client) ?? 0) + 1
    if (count <= this.#perMinute) this.#counts.set(client, count)
    if (this.#counts.size > clientsMax) this.#counts.delete(this.#counts.keys().next().value!)
    const endMs = (minute + 1) * windowMs
    return {
      retryAfter: count > this.#perMinute ? Math.ceil((endMs - now) / 1000) : 0,
      headers: {
        'X-RateLimit-Limit': String(this.#perMinute),
        'X-RateLimit-Remaining': String(Math.max(0, this.#perMinute - count)),
        'X-RateLimit-Reset': String(endMs / 1000),
      },
    }
  }
}

/** An IPv6 client has a /64 of addresses, which count as one address. */
function groupOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':')
  const tailGroups = tail?.split(':') ?? []
  while (tail !== undefined && groups.length + tailGroups.length < 8) groups.push('0')
  return [...groups, ...tailGroups].slice(0, 4).join(':')
}
