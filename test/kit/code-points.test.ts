import { expect, test } from 'vitest'
import { byCodePoint, codePointLength } from '#kit/code-points.ts'

test('counts code points, and a lone surrogate as one', () => {
  const texts = ['', 'abc', 'é', 'e\u0301', '𠮷野家', '👩‍👧', '\ud800', '\udc00a']
  expect(texts.map(codePointLength)).toEqual([0, 3, 1, 2, 3, 3, 1, 2])
})

test('sorts texts by code point, not by UTF-16 unit', () => {
  const sorted = ['', 'a', 'a\u0301', 'b', 'ﬁ', '\u{1f331}']
  expect(sorted.toReversed().sort(byCodePoint)).toEqual(sorted)
})
