import { describe, expect, test } from 'vitest'
import { textHash } from '#kit/text-hash.ts'
import { RepeatCache } from '#proxy/repeat-cache.ts'

describe('what is asked for again', () => {
  test('is worth keeping from the second time on', () => {
    const cache = new RepeatCache({ max: 10 })
    expect(cache.admits('/v1/words?q=a')).toBe(false)
    expect(cache.admits('/v1/words?q=a')).toBe(true)
  })

  test('is found by its text, until it is cleared', () => {
    const cache = new RepeatCache<{ is: string }>({ max: 10 })
    cache.set('a', { is: 'A' })
    expect([cache.get('a'), cache.get('b')]).toEqual([{ is: 'A' }, undefined])
    cache.clear()
    expect(cache.get('a')).toBeUndefined()
  })

  test('is never taken for another text of the same hash', () => {
    const [one, other] = twoOfOneHash()
    const cache = new RepeatCache<{ is: string }>({ max: 10 })
    cache.set(one, { is: one })
    expect(cache.get(other)).toBeUndefined()
    cache.set(other, { is: other })
    expect(cache.get(other)).toEqual({ is: other })
    expect(cache.get(one)).toBeUndefined()
  })

  test.each([
    ['so many', { max: 2 }],
    ['so many bytes', { maxSizeBytes: 20, sizeBytes: () => 10 }],
  ])('is given up for what was asked for later, past %s', (_, bound) => {
    const cache = new RepeatCache<{ is: string }>(bound)
    for (const text of ['a', 'b', 'c']) cache.set(text, { is: text })
    expect(['a', 'b', 'c'].map((text) => cache.get(text)?.is)).toEqual([undefined, 'b', 'c'])
  })
})

function twoOfOneHash(): [string, string] {
  const byHash = new Map<number, string>()
  for (let i = 0; ; i++) {
    const text = `text ${i}`
    const before = byHash.get(textHash(text))
    if (before !== undefined) return [before, text]
    byHash.set(textHash(text), text)
  }
}
