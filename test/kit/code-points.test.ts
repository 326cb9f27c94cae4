import { expect, test } from 'vitest'
import { byCodePoint, codePointLength } from '#kit/code-points.ts'

test.each([
  ['', 0],
  ['abc', 3],
  ['é', 1],
  ['e\u0301', 2],
  ['🐈', 1],
  ['𠮷野家', 3],
  ['👩‍👧', 3],
  ['\ud800', 1],
  ['a\ud800', 2],
])('the length of %j is %i code points', (text, length) => {
  expect(codePointLength(text)).toBe(length)
})

test('texts are sorted by code point, not by UTF-16 unit', () => {
  expect(['\u{1f331}', 'ﬁ', 'b', 'a\u0301', 'a', ''].sort(byCodePoint)).toEqual([
    '',
    'a',
    'a\u0301',
    'b',
    'ﬁ',
    '\u{1f331}',
  ])
})
