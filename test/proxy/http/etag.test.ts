import { expect, test } from 'vitest'
import { matchesEtag } from '#proxy/http/send.ts'

test.each([
  ['"abc"', true],
  ['W/"abc"', true],
  ['"x", "abc"', true],
  ['"x","abc","y"', true],
  ['"x", W/"abc"', true],
  ['*', true],
  [' * ', true],
  ['', false],
  ['"abcd"', false],
  ['"abc-br"', false],
  ['"ABC"', false],
  ['abc', false],
  ['"x\'abc\'"', false],
])('If-None-Match: %s names "abc": %s', (header, isNamed) =>
  expect(matchesEtag(header, '"abc"')).toBe(isNamed),
)
