import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { keyDigest, mintKey } from '#metering/key.ts'
import { readKey } from '#proxy/http/authenticate.ts'

const key = mintKey(randomBytes)
const nobody = () => false

test.each([`Bearer ${key}`, `bearer ${key}`, `BEARER   ${key}`, `Bearer ${key} `])(
  'a bearer credential is read whatever the case and blanks around it (%#)',
  (header) => {
    expect(readKey(header, nobody)).toEqual({ kind: 'key', digest: keyDigest(key) })
  },
)

test.each([
  ['no header', undefined],
  ['an empty header', ''],
  ['the scheme alone', 'Bearer'],
  ['the key alone', key],
  ['another scheme', `Basic ${key}`],
  ['two keys', `Bearer ${key} ${key}`],
  ['two credentials in one', `Bearer ${key}, Bearer ${key}`],
  ['a key cut short', `Bearer ${key.slice(0, -1)}`],
  ['a key with a wrong checksum', `Bearer ${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`],
  ['a key in other case', `Bearer ${key.toUpperCase()}`],
  ['another text', 'Bearer secret'],
])('%s is no credential', (_, header) => {
  expect(readKey(header, nobody)).toBeNull()
})
