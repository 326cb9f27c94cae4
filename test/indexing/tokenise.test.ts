import { describe, expect, test } from 'vitest'
import { tokenise } from '#indexing/tokenise.ts'

const spoken = (...texts: string[]) => texts.map((text, i) => ({ text, tStart: i, tEnd: i + 0.5 }))
const starts = (text: string, words?: string[]) =>
  tokenise({ tStart: 0, tEnd: 9, text, ...(words ? { words: spoken(...words) } : {}) }, 'en')
    .filter((token) => token.startsSentence)
    .map((token) => token.text)

describe('without word timings', () => {
  test('times are interpolated in proportion to characters, end to end', () => {
    const tokens = tokenise({ tStart: 1, tEnd: 2, text: 'I am the cat!' }, 'en')
    expect(tokens.map(({ text, tStart, tEnd }) => [text, tStart, tEnd])).toEqual([
      ['I', 1, 1.111],
      ['am', 1.111, 1.333],
      ['the', 1.333, 1.667],
      ['cat', 1.667, 2],
    ])
  })

  test('characters are code points', () => {
    const tokens = tokenise({ tStart: 0, tEnd: 1, text: '𝒶𝒷 cd' }, 'en')
    expect(tokens.map(({ tEnd }) => tEnd)).toEqual([0.5, 1])
  })

  test('an empty array of words is none', () => {
    expect(tokenise({ tStart: 0, tEnd: 1, text: 'Hi', words: [] }, 'en')).toHaveLength(1)
  })

  test('a cue without a token has none', () => {
    expect(tokenise({ tStart: 0, tEnd: 1, text: '♪ …' }, 'en')).toEqual([])
  })
})

describe('with word timings', () => {
  test('a token a word, stripped, its times to 3 decimals, its lemma trimmed', () => {
    const words = [
      { text: ' “Went, ', tStart: 0.12345, tEnd: 0.5, lemma: ' go ' },
      { text: '—', tStart: 0.5, tEnd: 0.6 },
      { text: 'home.', tStart: 0.6, tEnd: 1, lemma: ' ' },
    ]
    expect(tokenise({ tStart: 0, tEnd: 1, text: '“Went, — home.”', words }, 'en')).toEqual([
      { text: 'Went', tStart: 0.123, tEnd: 0.5, lemma: 'go', startsSentence: false },
      { text: 'home', tStart: 0.6, tEnd: 1, startsSentence: false },
    ])
  })
})

describe('an elided word', () => {
  test('has its share of the time of a timed word, whose lemma is that of the other', () => {
    const words = [{ text: '«L’homme', tStart: 1, tEnd: 3, lemma: 'homme' }]
    expect(tokenise({ tStart: 0, tEnd: 3, text: '«L’homme»', words }, 'fr')).toEqual([
      { text: 'L’', tStart: 1, tEnd: 1.75, startsSentence: false },
      { text: 'homme', tStart: 1.75, tEnd: 3, lemma: 'homme', startsSentence: false },
    ])
  })

  test('stays with the other in a language without elision', () => {
    const words = [{ text: "l'homme", tStart: 1, tEnd: 3 }]
    expect(tokenise({ tStart: 0, tEnd: 3, text: "l'homme", words }, 'en')).toHaveLength(1)
  })
})

describe('a sentence starts', () => {
  test.each(['.', '!', '?', '…', '。', '！', '？', '｡'])('after %s', (end) => {
    expect(starts(`Look${end} After`)).toEqual(['After'])
  })

  test('not after a comma, a semicolon, a quote, and not at the beginning', () => {
    expect(starts('“Look, after; “that” there')).toEqual([])
  })

  test('where the text tells, whatever the words carry', () => {
    expect(starts('Look. After', ['Look', 'After'])).toEqual(['After'])
    expect(starts('Look after', ['Look.', 'After'])).toEqual([])
  })

  test('where the words tell, for words that the text does not hold', () => {
    expect(starts('Look at', ['Look.', 'After'])).toEqual(['After'])
    expect(starts('♪', ['Look.', 'After', '!', 'All'])).toEqual(['After', 'All'])
  })
})
