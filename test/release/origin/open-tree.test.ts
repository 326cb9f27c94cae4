import { expect, test } from 'vitest'
import { isHttpAddress, openTree, parseOriginAddress } from '#release/origin/open-tree.ts'

test.each([
  'http://cdn.example/tree',
  'http://127.0.0.1.example/',
  'http://8.8.8.8/',
  'http://[2001:db8::1]/',
  'http://172.32.0.1/',
])('refuses %s unless --insecure-origin is set', (address) => {
  expect(() => parseOriginAddress(address, false)).toThrow(
    `cannot read a tree from "${address}": the address must begin with https://`,
  )
  expect(parseOriginAddress(address, true).protocol).toBe('http:')
})

test.each([
  'https://cdn.example/tree',
  'http://localhost:1',
  'http://127.0.0.1:1',
  'http://[::1]:1',
  'http://10.1.2.3/',
  'http://172.16.0.1/',
  'http://192.168.1.1/tree/',
  'http://[fd00::1]/',
])('accepts %s', (address) => {
  const href = new URL(address.endsWith('/') ? address : `${address}/`).href
  expect(parseOriginAddress(address, false).href).toBe(href)
})

const more = ['https://ann:secret@cdn.example/', 'https://cdn.example/?a=1', 'https://cdn.example/#a']
test.each(more)('refuses %s, which is more than an address', (address) => {
  expect(() => parseOriginAddress(address, true)).toThrow('must have no credentials, query or fragment')
  expect(() => parseOriginAddress(address, true)).not.toThrow('secret')
})

test('anything else is a folder', () => {
  expect([isHttpAddress('/some/where'), isHttpAddress('HTTPS://cdn.example')]).toEqual([false, true])
  const options = { cacheFolder: '/nowhere', followEveryMs: 1 }
  expect(openTree('/some/where', options).location).toBe('/some/where')
})

test.each(['secret\n', 'two words', 'sécret', '"secret"'])('the token %j cannot be sent', (token) => {
  const options = { cacheFolder: '/nowhere', followEveryMs: 1, token }
  const open = () => openTree('http://127.0.0.1:1', options)
  expect(open).toThrow('the data token must consist of letters, digits and -._~+/=')
  expect(open).not.toThrow(token)
})
