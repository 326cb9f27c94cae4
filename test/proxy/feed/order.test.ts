import { describe, expect, test } from 'vitest'
import { Order } from '#proxy/feed/order.ts'

function whole(language: string, seed: string, domain: number): number[] {
  const order = new Order(language, seed, domain)
  return Array.from({ length: domain }, (_, position) => order.at(position))
}

/** Whether every ordinal below the domain is there once. */
function isPermutation(ordinals: readonly number[]): boolean {
  const seen = new Uint8Array(ordinals.length)
  for (const ordinal of ordinals) seen[ordinal]! += 1
  return seen.every((count) => count === 1)
}

/** Pearson's statistic of counts that should all be the same. */
function chiSquare(counts: readonly number[], expected: number): number {
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
}

describe('the order of a shuffle', () => {
  test('is a permutation, for every domain from 0 to 300', () => {
    for (let domain = 0; domain <= 300; domain++) {
      for (const seed of ['a', 'b', 'c']) {
        if (!isPermutation(whole('en', seed, domain)))
          expect.fail(`no permutation of ${domain} by seed ${seed}`)
      }
    }
  })

  test.each([1023, 1024, 1025, 9973, 65_536, 100_003])('is a permutation of a domain of %i', (domain) => {
    expect(isPermutation(whole('en', 'large', domain))).toBe(true)
  })

  test('stays within a domain of a thousand million', () => {
    const order = new Order('en', 'huge', 1_000_000_007)
    const ordinals = Array.from({ length: 1000 }, (_, i) => order.at(i * 1_000_000))
    expect(new Set(ordinals).size).toBe(1000)
    expect(ordinals.every((ordinal) => ordinal >= 0 && ordinal < 1_000_000_007)).toBe(true)
  })

  test('is fixed by language and seed: known answers', () => {
    expect(whole('en', 'monday-morning', 10)).toEqual([6, 1, 8, 2, 0, 9, 7, 4, 5, 3])
    expect(whole('tr', 'monday-morning', 10)).toEqual([3, 6, 8, 4, 9, 1, 5, 0, 7, 2])
    expect(whole('en', 'salı 🐈', 10)).toEqual([0, 7, 9, 3, 8, 6, 2, 1, 4, 5])
  })

  test('does not run language and seed together', () => {
    expect(whole('en', 'x', 200)).not.toEqual(whole('e', 'nx', 200))
  })

  // 99.99 % of the chi-square distribution with (n - 1)² degrees of freedom; the seeds are fixed,
  // so the test always says the same.
  test.each([
    [2, 15.14],
    [3, 23.51],
    [5, 45.92],
    [7, 74.87],
    [10, 137.2],
    [12, 185.5],
  ])('puts every ordinal at every position equally often (domain %i)', (domain, bound) => {
    const seeds = 4000
    const counts = Array.from({ length: domain * domain }, () => 0)
    for (let i = 0; i < seeds; i++) {
      whole('en', `seed ${i}`, domain).forEach((ordinal, position) => counts[position * domain + ordinal]!++)
    }
    expect(chiSquare(counts, seeds / domain)).toBeLessThan(bound)
  })

  test('puts every ordinal after every other equally often', () => {
    const [domain, seeds] = [20, 3000]
    const counts = Array.from({ length: domain * domain }, () => 0)
    for (let i = 0; i < seeds; i++) {
      const order = whole('en', `pair ${i}`, domain)
      for (let at = 1; at < domain; at++) counts[order[at - 1]! * domain + order[at]!]!++
    }
    const pairs = counts.filter((_, i) => Math.floor(i / domain) !== i % domain)
    // 379 degrees of freedom, 99.99 %.
    expect(chiSquare(pairs, (seeds * (domain - 1)) / pairs.length)).toBeLessThan(490)
  })
})
