import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { clipIndexer } from '#nightly/index/index-clip.ts'
import { wordsOf } from './words-of.ts'

/** A line of `fixtures/as-written.txt`, under its heading. */
interface Case {
  heading: string
  language: string
  /** `word=form=form, word`. */
  catalogue: string
  text: string
  expected: string
}

const lines = readFileSync(`${import.meta.dirname}/../../fixtures/as-written.txt`, 'utf8').split('\n')
let heading = ''
const cases = lines.flatMap((line): Case[] => {
  if (line.startsWith('# ')) heading = line.slice(2)
  if (line === '' || line.startsWith('# ')) return []
  const [language, catalogue, text, expected = ''] = line.split(/ \|(?: |$)/) as [
    string,
    string,
    string,
    string?,
  ]
  return [{ heading, language, catalogue, text, expected }]
})

/** The headwords of a catalogue and their forms. */
function readCatalogue(catalogue: string): [word: string, forms: string[]][] {
  return catalogue.split(', ').map((entry) => {
    const [word, ...forms] = entry.split('=')
    return [word!, forms]
  })
}

/** Indexes clips with the words of some cases. */
function indexerOf(language: string, cases: readonly Case[]) {
  const words: Record<string, string[]> = {}
  for (const [word, forms] of cases.flatMap(({ catalogue }) => readCatalogue(catalogue)))
    (words[word] ??= []).push(...forms)
  return clipIndexer(language, wordsOf(language, words))
}

/**
 * The words of the case's catalogue that are found in its text, in the order in which they begin.
 * Words that begin at the same place are in the order of the catalogue.
 */
function wordsIn({ catalogue, text }: Case, index: ReturnType<typeof clipIndexer>): string {
  const headwords = readCatalogue(catalogue).map(([word]) => word)
  const { hits } = index([{ tStart: 0, tEnd: 1, text }])
  const places = [...hits].flatMap(([{ word }, wordHits]) =>
    wordHits.map(({ start }) => ({ word, start, rank: headwords.indexOf(word) })),
  )
  return places
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => a.start - b.start || a.rank - b.rank)
    .map(({ word }) => word)
    .join(', ')
}

// Some dictionaries take a second to open: the cases of a language share one. Chinese is divided by
// the words of the catalogue, so each of its cases has its own.
describe.each([...Map.groupBy(cases, ({ language }) => language)])('%s', (language, ofLanguage) => {
  let shared: ReturnType<typeof clipIndexer>
  beforeAll(() => void (shared = indexerOf(language, ofLanguage)))

  test.each(ofLanguage)('$heading: "$text"', (each) => {
    const index = language === 'zh' ? indexerOf(language, [each]) : shared
    expect(wordsIn(each, index)).toBe(each.expected)
  })
})

test('splits a word that is timed together with the next, and ends the sentence between them', () => {
  const words = wordsOf('en', { late: [], they: [], 'late they': [] })
  const timed = [{ text: 'late.They', tStart: 1, tEnd: 2 }]
  const { hits, cues } = clipIndexer('en', words)([{ tStart: 0, tEnd: 3, text: 'late.They', words: timed }])
  expect(cues[0]!.tokens.map(({ text }) => text)).toEqual(['late', 'They'])
  expect([...hits.keys()].map(({ word }) => word)).toEqual(['late', 'they'])
})

test('locates tokens in a text with invisible characters', () => {
  const text = 'Der Gar\u00adten am за́мок'
  const { places } = clipIndexer('de', wordsOf('de', { Garten: [] }))([{ tStart: 0, tEnd: 3, text }])
  const shown = places[0]!.map((place) => place && text.slice(place.start, place.end))
  expect(shown).toEqual(['Der', 'Gar\u00adten', 'am', 'за́мок'])
})
