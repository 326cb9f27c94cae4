import { expect, test } from 'vitest'
import { cutWordList, formatWordList } from '#release/word-list.ts'

const head = { wordId: 1, language: 'en', page: 1, pages: 2 }

test('a page is JSON, and its items come back without being parsed', () => {
  const items = ['{"a":",\\n"}', '{"b":[1,2]}']
  const text = formatWordList(head, items)
  expect(JSON.parse(text)).toEqual({ ...head, items: items.map((item) => JSON.parse(item)) })
  expect(cutWordList(text)).toEqual(items)
  expect(cutWordList(formatWordList(head, items.slice(1)))).toEqual(items.slice(1))
})
