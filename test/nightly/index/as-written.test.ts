import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { clipIndexer } from '#nightly/index/index-clip.ts'
import { wordsOf } from './words-of.ts'

const lines = readFileSync(`${import.meta.dirname}/../../fixtures/as-written.txt`, 'utf8').split('\n')
let heading = ''
const cases = lines.flatMap((line) => {
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

/** The words found in a text, in order of the catalogue where they begin at the same place. */
function wordsIn(language: string, catalogue: string, text: string): string {
  const entries = catalogue.split(', ').map((entry) => entry.split('='))
  const words = wordsOf(language, Object.fromEntries(entries.map(([word, ...forms]) => [word!, forms])))
  const { hits } = clipIndexer(language, words)([{ tStart: 0, tEnd: 1, text }])
  const places = [...hits].flatMap(([{ word }, wordHits]) => wordHits.map(({ start }) => ({ word, start })))
  return places
    .sort((a, b) => a.start - b.start)
    .map(({ word }) => word)
    .join(', ')
}

test.each(cases)('$heading: $language "$text"', ({ language, catalogue, text, expected }) => {
  expect(wordsIn(language, catalogue, text)).toBe(expected)
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
