import { expect, test } from 'vitest'
import { KnownCache } from '#proxy/filter/known-cache.ts'
import type { KnownWords } from '#proxy/filter/known-words.ts'

const words = {} as KnownWords

test('a key with many lists evicts its own lists, the least recently used first', () => {
  const cache = new KnownCache(4)
  cache.set('quiet', 'a', words)
  for (const list of ['a', 'b', 'c']) cache.set('busy', list, words)
  expect(cache.get('busy', 'a')).toBe(words)
  cache.set('busy', 'd', words)
  cache.set('new', 'a', words)
  const isCached = (key: string, list: string) => cache.has(key, list)
  expect(['a', 'b', 'c', 'd'].map((list) => isCached('busy', list))).toEqual([true, false, false, true])
  expect([isCached('quiet', 'a'), isCached('new', 'a'), isCached('new', 'b')]).toEqual([true, true, false])
})

test('the number of lists is limited, and a list that is cached again is counted once', () => {
  const cache = new KnownCache(2)
  const cached = (...keys: string[]) => keys.filter((key) => cache.has(key, 'list'))
  for (const key of ['a', 'a', 'b']) cache.set(key, 'list', words)
  expect(cached('a', 'b')).toEqual(['a', 'b'])
  for (const key of ['c', 'd', 'd']) cache.set(key, 'list', words)
  expect(cached('a', 'b', 'c', 'd')).toEqual(['c', 'd'])
})
