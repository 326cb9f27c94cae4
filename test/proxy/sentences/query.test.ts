import { expect, test } from 'vitest'
import { parseQuery, toQuery } from '#proxy/sentences/query.ts'
import type { Release } from '#release/release.ts'
import { wordTerm } from '#release/sentences/layout.ts'

/** Returns a release in which every token spells all words. A word's id is ten times its row. */
function releaseOf(wordCount: number): Release {
  return {
    words: { wordId: (row: number) => row * 10 },
    spellings: { wordsSpelled: () => Array.from({ length: wordCount }, (_, row) => row) },
  } as unknown as Release
}

test('a query of more than 12 tokens is refused, and the message quotes it', () => {
  expect(parseQuery('a '.repeat(12), 'en')).toHaveLength(12)
  expect(parseQuery('a b c d e f g h i j k l, m', 'en')).toMatchObject({
    parameter: 'q',
    message: 'q must have at most 12 words, but "a b c d e f g h i j k l, m" has 13.',
  })
})

test('a token that is repeated in a query, in any case, is one token', () => {
  const texts = parseQuery('Run run RUN, run away', 'en') as string[]
  const { parts } = toQuery(texts, 'en', 'forms', releaseOf(2))
  expect(parts).toHaveLength(5)
  expect(new Set(parts.map(({ terms }) => terms)).size).toBe(2)
})

test('a token that spells 5,000 words matches the 200 with the highest coverage, and none if the search is exact', () => {
  const wordsOf = (match: 'forms' | 'exact') =>
    toQuery(['shi'], 'zh', match, releaseOf(5_000)).parts.filter(({ terms }) => terms.words.length > 0)
  const [ofOneToken, ofTwoTokens] = wordsOf('forms')
  expect(ofOneToken!.terms.words).toHaveLength(200)
  expect(ofOneToken!.terms.words.slice(0, 2)).toEqual([wordTerm(0), wordTerm(10)])
  expect(ofTwoTokens!.terms.words.slice(0, 2)).toEqual([wordTerm(0, 2), wordTerm(10, 2)])
  expect(wordsOf('exact')).toEqual([])
})
