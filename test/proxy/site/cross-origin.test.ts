import { expect, test } from 'vitest'
import { isCrossOrigin } from '../../../src/proxy/site/forms.ts'

const host = 'api.example'

test.each([
  [{ 'sec-fetch-site': 'same-origin' }, false],
  [{ 'sec-fetch-site': 'none' }, false],
  [{ 'sec-fetch-site': 'cross-site' }, true],
  [{ 'sec-fetch-site': 'same-site' }, true],
  [{ 'sec-fetch-site': 'cross-site', origin: 'https://api.example' }, true],
  // A proxy that ends TLS hides the scheme: the host alone is compared.
  [{ origin: 'https://api.example' }, false],
  [{ origin: 'https://evil.example' }, true],
  [{ origin: 'null' }, true],
  [{}, false],
])('a request with %j is cross-origin: %j', (headers, expected) => {
  expect(isCrossOrigin({ host, ...headers })).toBe(expected)
})
