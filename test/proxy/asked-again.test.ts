import { describe, expect, test } from 'vitest'
import { textHash } from '#kit/text-hash.ts'
import { AskedAgain } from '#proxy/asked-again.ts'

describe('what is asked for again', () => {
  test('is worth keeping from the second time on', () => {
    const asked = new AskedAgain({ max: 10 })
    expect(asked.isWorthKeeping('/v1/words?q=a')).toBe(false)
    expect(asked.isWorthKeeping('/v1/words?q=a')).toBe(true)
  })

  test('is found by its text, until it is cleared', () => {
    const asked = new AskedAgain<{ is: string }>({ max: 10 })
    asked.keep('a', { is: 'A' })
    expect([asked.get('a'), asked.get('b')]).toEqual([{ is: 'A' }, undefined])
    asked.clear()
    expect(asked.get('a')).toBeUndefined()
  })

  test('is never taken for another text of the same hash', () => {
    const [one, other] = twoOfOneHash()
    const asked = new AskedAgain<{ is: string }>({ max: 10 })
    asked.keep(one, { is: one })
    expect(asked.get(other)).toBeUndefined()
    asked.keep(other, { is: other })
    expect(asked.get(other)).toEqual({ is: other })
    expect(asked.get(one)).toBeUndefined()
  })

  test.each([
    ['so many', { max: 2 }],
    ['so many bytes', { maxSizeBytes: 20, sizeBytes: () => 10 }],
  ])('is given up for what was asked for later, past %s', (_, bound) => {
    const asked = new AskedAgain<{ is: string }>(bound)
    for (const text of ['a', 'b', 'c']) asked.keep(text, { is: text })
    expect(['a', 'b', 'c'].map((text) => asked.get(text)?.is)).toEqual([undefined, 'b', 'c'])
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
