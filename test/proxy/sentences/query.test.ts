import { expect, test } from 'vitest'
import { parseQuery, toQuery } from '#proxy/sentences/query.ts'
import type { Release } from '#release/release.ts'
import { wordTerm } from '#release/sentences/layout.ts'

/**
 * Returns a release in which every token spells all words or, with `texts`, the words with its
 * text. A word's id is ten times its row.
 */
function releaseOf(wordCount: number, texts?: readonly string[]): Release {
  const rows = Array.from({ length: wordCount }, (_, row) => row)
  return {
    words: { wordId: (row: number) => row * 10 },
    spellings: {
      wordsSpelled: (text: string) => (texts ? rows.filter((row) => texts[row] === text) : rows),
    },
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

test('in Japanese and Chinese, any neighbouring tokens of a query may spell a word', () => {
  const spelled = ['水', '飲', '飲む', '水を飲む']
  const { parts } = toQuery(['水', 'を', '飲', 'む'], 'ja', 'forms', releaseOf(4, spelled))
  const wordParts = parts.filter(({ terms }) => terms.words.length > 0 && terms.tokenCount === 1)
  expect(wordParts.map(({ from, to, terms }) => [from, to, ...terms.words])).toEqual([
    [0, 1, wordTerm(0)],
    [0, 4, wordTerm(30)],
    [2, 3, wordTerm(10)],
    [2, 4, wordTerm(20)],
  ])
})
