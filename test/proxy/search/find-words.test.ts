import { expect, test } from 'vitest'
import { findWords } from '#proxy/search/find-words.ts'
import type { IndexedWord } from '#release/release.ts'

const words = ['lookout', 'outlook', 'look', 'out', 'overlook', 'look after'].map((folded, i) => ({
  folded,
  wordId: i,
})) as IndexedWord[]

function found(text: string): string[] {
  return findWords(words, text).map(({ folded }) => folded)
}

test('the word itself comes first, then words that begin with it, then words that contain it, each in their order', () => {
  expect(found('look')).toEqual(['look', 'lookout', 'look after', 'outlook', 'overlook'])
  expect(found('out')).toEqual(['out', 'outlook', 'lookout'])
})

test('a text that is in no word finds nothing', () => {
  expect(found('lookz')).toEqual([])
})

test('an empty text finds every word, in their order and in a list of its own', () => {
  const all = findWords(words, '')
  expect(all).toEqual(words)
  expect(all).not.toBe(words)
})
