import { describe, expect, test } from 'vitest'
import { TrustedProxies, windowOf } from '#proxy/http/client-address.ts'

const nobody = new TrustedProxies('')
const ours = new TrustedProxies('10.0.0.0/8, 192.0.2.1,2001:db8:aaaa::/48')

/** Returns the address whose window is used. */
function clientAddress(peer: string | undefined, forwardedFor: string | undefined, trusted: TrustedProxies) {
  return windowOf(trusted.clientOf(peer, forwardedFor))
}

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
  ['2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:1::', '2001:db8:1:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
  ['1::3:4:5:6:192.0.2.7', '1:0:3:4::/64'],
  [undefined, ''],
])('meters the client at %s as %j', (peer, address) => {
  expect(clientAddress(peer, undefined, nobody)).toBe(address)
})

const ownHops = (count: number) => Array.from({ length: count }, (_, i) => `, 10.0.1.${i}`).join('')

test.each([
  ['with a port is the address alone', '10.1.2.3', '198.51.100.1:5678', '198.51.100.1'],
  ['with a port is the address alone', '10.1.2.3', '[2001:db8:1:2:3::4]:5678', '2001:db8:1:2::/64'],
  ['of a peer that is no proxy of ours is ignored', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['of a proxy of ours gives the last address in it', '10.1.2.3', '6.6.6.6, 198.51.100.1', '198.51.100.1'],
  [
    'is followed through all proxies of ours',
    '10.1.2.3',
    '6.6.6.6, 198.51.100.1, 192.0.2.1,  10.9.9.9',
    '198.51.100.1',
  ],
  ['is read whatever the form of a proxy’s address', '2001:db8:aaaa::1', '198.51.100.1', '198.51.100.1'],
  ['is read whatever the form of an address', '::ffff:10.1.2.3', '::ffff:198.51.100.1', '198.51.100.1'],
  ['is cut to the /64 of a client that has IPv6', '10.1.2.3', '2001:db8:1:2:3::4', '2001:db8:1:2::/64'],
  ['ends at what is no address', '10.1.2.3', 'unknown', '10.1.2.3'],
  ['ends at what is no address', '10.1.2.3', '6.6.6.6, _hidden, 192.0.2.1', '192.0.2.1'],
  ['that is empty leaves the proxy', '10.1.2.3', '', '10.1.2.3'],
  ['that is not there leaves the proxy', '10.1.2.3', undefined, '10.1.2.3'],
  ['is read from the right, 32 hops at most', '10.1.2.3', `6.6.6.6${ownHops(31)}`, '6.6.6.6'],
  ['is read from the right, 32 hops at most', '10.1.2.3', `6.6.6.6${ownHops(32)}`, '10.0.1.0'],
  ['gives the first proxy where all are ours', '10.1.2.3', '10.0.0.1', '10.0.0.1'],
])('X-Forwarded-For %s: from %s, %j is %s', (_, peer, forwardedFor, address) => {
  expect(clientAddress(peer, forwardedFor, ours)).toBe(address)
})

describe('the list of trusted proxies', () => {
  test('accepts addresses and networks, with spaces and empty items', () => {
    const list = new TrustedProxies(' 10.0.0.0/8 ,, ::1 , 192.0.2.1/32 ')
    const others = ['11.0.0.1', '::2', '192.0.2.2', 'nonsense', '']
    const trusted = ['10.255.0.1', '::1', '192.0.2.1']
    expect([...trusted, ...others].filter((address) => list.has(address))).toEqual(trusted)
  })

  const noNetworks = [
    'localhost',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/',
    '10.0.0.0/x',
    '10.0.0',
    '10.0.0.1/8/8',
    '*',
  ]
  test.each(noNetworks)('refuses %j and quotes it', (item) => {
    expect(() => new TrustedProxies(`127.0.0.1, ${item}`)).toThrow(RangeError)
    expect(() => new TrustedProxies(`127.0.0.1, ${item}`)).toThrow(`it contains "${item}"`)
  })
})
