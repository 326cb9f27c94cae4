import { expect, test } from 'vitest'
import { maskCredentials } from '#kit/mask-credentials.ts'

test.each([
  'redis://:w0rd@h',
  'redis://:w0"rd@h',
  "rediss://ann:w'0 rd@h:6379/1",
  's3://A/w0rd:x@b/tree',
  's3://w0/rd@b',
  'https://ann:w0rd@example.com/a',
  'https://w0rd@example.com/a',
])('shows %s without its credentials', (address) => {
  const shown = maskCredentials(`cannot open "${address}": no answer`)
  expect(shown).toMatch(/^cannot open "[a-z\d]+:\/\/…@[^@]+": no answer$/)
  expect(shown).not.toMatch(/w0|rd/)
})

const plain = [
  'https://www.youtube.com/@channel',
  'http://127.0.0.1:8080/',
  'a@b.example',
  's3://bucket/tree',
]
test.each(plain)('leaves %s unchanged', (text) => expect(maskCredentials(text)).toBe(text))
