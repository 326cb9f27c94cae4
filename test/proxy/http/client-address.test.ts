import { describe, expect, test } from 'vitest'
import { TrustedProxies, windowOf } from '#proxy/http/client-address.ts'

const nobody = new TrustedProxies('')

/** Whose window is spent. */
function clientAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
  trusted: TrustedProxies,
): string {
  return windowOf(trusted.clientOf(peer, forwardedFor))
}

describe('the address of a client', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
    ['0:0:0:0:0:ffff:c000:0207', '192.0.2.7'],
    ['0000::0000:FFFF:192.0.2.7', '192.0.2.7'],
    ['::192.0.2.7', '0:0:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:1::', '2001:db8:1:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
    ['1::3:4:5:6:192.0.2.7', '1:0:3:4::/64'],
  ])('%s is metered as %s', (peer, address) => {
    expect(clientAddress(peer, undefined, nobody)).toBe(address)
  })

  test('is one for a whole /64 and another for the next', () => {
    const of = (peer: string) => clientAddress(peer, undefined, nobody)
    expect(of('2001:db8:1:2::1')).toBe(of('2001:db8:1:2:ffff:ffff:ffff:ffff'))
    expect(of('2001:db8:1:2::1')).not.toBe(of('2001:db8:1:3::1'))
  })

  test('is empty where the connection is gone', () => {
    expect(clientAddress(undefined, undefined, nobody)).toBe('')
  })
})

describe('X-Forwarded-For', () => {
  const ours = new TrustedProxies('10.0.0.0/8, 192.0.2.1,2001:db8:aaaa::/48')

  test('with a port is the address alone', () => {
    expect(clientAddress('10.1.2.3', '198.51.100.1:5678', ours)).toBe('198.51.100.1')
    expect(clientAddress('10.1.2.3', '[2001:db8:1:2:3::4]:5678', ours)).toBe('2001:db8:1:2::/64')
  })

  test('of a peer that is no proxy of ours is ignored', () => {
    expect(clientAddress('203.0.113.9', '198.51.100.1', ours)).toBe('203.0.113.9')
    expect(clientAddress('127.0.0.1', '198.51.100.1', nobody)).toBe('127.0.0.1')
  })

  test('of a proxy of ours gives the last address in it', () => {
    expect(clientAddress('10.1.2.3', '198.51.100.1', ours)).toBe('198.51.100.1')
    expect(clientAddress('10.1.2.3', '6.6.6.6, 198.51.100.1', ours)).toBe('198.51.100.1')
  })

  test('is followed through all proxies of ours', () => {
    expect(clientAddress('10.1.2.3', '6.6.6.6, 198.51.100.1, 192.0.2.1,  10.9.9.9', ours)).toBe(
      '198.51.100.1',
    )
    expect(clientAddress('2001:db8:aaaa::1', '198.51.100.1', ours)).toBe('198.51.100.1')
    expect(clientAddress('::ffff:10.1.2.3', '::ffff:198.51.100.1', ours)).toBe('198.51.100.1')
  })

  test('cuts the address of a client that has IPv6 to its /64', () => {
    expect(clientAddress('10.1.2.3', '2001:db8:1:2:3::4', ours)).toBe('2001:db8:1:2::/64')
  })

  test('ends at what is no address: the proxy that sent it is then the client', () => {
    expect(clientAddress('10.1.2.3', 'unknown', ours)).toBe('10.1.2.3')
    expect(clientAddress('10.1.2.3', '6.6.6.6, _hidden, 192.0.2.1', ours)).toBe('192.0.2.1')
    expect(clientAddress('10.1.2.3', '', ours)).toBe('10.1.2.3')
    expect(clientAddress('10.1.2.3', undefined, ours)).toBe('10.1.2.3')
  })

  test('is read from the right, 32 hops at most', () => {
    const ownHops = (count: number) => Array.from({ length: count }, (_, i) => `, 10.0.1.${i}`).join('')
    expect(clientAddress('10.1.2.3', `6.6.6.6${ownHops(31)}`, ours)).toBe('6.6.6.6')
    expect(clientAddress('10.1.2.3', `6.6.6.6${ownHops(32)}`, ours)).toBe('10.0.1.0')
  })

  test('gives the first proxy where all are ours', () => {
    expect(clientAddress('10.1.2.3', '10.0.0.1', ours)).toBe('10.0.0.1')
  })
})

describe('the list of trusted proxies', () => {
  test('takes addresses and networks, with blanks and empty items', () => {
    const list = new TrustedProxies(' 10.0.0.0/8 ,, ::1 , 192.0.2.1/32 ')
    expect(['10.255.0.1', '::1', '192.0.2.1'].map((address) => list.has(address))).toEqual([true, true, true])
    expect(['11.0.0.1', '::2', '192.0.2.2', 'nonsense', ''].map((address) => list.has(address))).toEqual(
      Array.from({ length: 5 }, () => false),
    )
  })

  test.each(['localhost', '10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/x', '10.0.0', '10.0.0.1/8/8', '*'])(
    'refuses %j and quotes it',
    (item) => {
      expect(() => new TrustedProxies(`127.0.0.1, ${item}`)).toThrow(RangeError)
      expect(() => new TrustedProxies(`127.0.0.1, ${item}`)).toThrow(`got "${item}"`)
    },
  )
})
