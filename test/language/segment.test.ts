import fc from 'fast-check'
import { expect, test } from 'vitest'
import { segment } from '#language/segment.ts'

const texts = (text: string, language = 'en') => segment(text, language).map((piece) => piece.text)

test('tokens come without the punctuation around them, in order', () => {
  expect(texts('“Well, (you) know…” 42!')).toEqual(['Well', 'you', 'know', '42'])
})

test('what has no letter or digit is left out', () => {
  expect(texts('— … ?! ♪')).toEqual([])
  expect(texts('')).toEqual([])
})

test('parts joined by one hyphen are one token, whichever hyphen', () => {
  expect(texts('a well-known mother‐in‑law')).toEqual(['a', 'well-known', 'mother‐in‑law'])
})

test('a dash, two hyphens or a blank part tokens', () => {
  expect(texts('well--known well - known well- known well–known')).toEqual(
    Array(4).fill(['well', 'known']).flat(),
  )
})

test('an apostrophe stays inside a token', () => {
  expect(texts("It's o’clock")).toEqual(["It's", 'o’clock'])
})

test('in French, Italian and Catalan an elided word is a token, with its apostrophe', () => {
  expect(texts("L'homme qu’elle n'a pas", 'fr')).toEqual(["L'", 'homme', 'qu’', 'elle', "n'", 'a', 'pas'])
  expect(texts("aujourd'hui, quelqu'un, c'est-à-dire", 'fr')).toEqual([
    "aujourd'hui",
    "quelqu'un",
    "c'",
    'est-à-dire',
  ])
  expect(texts("Dell'acqua, un po' d'aria", 'it')).toEqual(["Dell'", 'acqua', 'un', 'po', "d'", 'aria'])
  expect(texts("l'home d'aquí", 'ca')).toEqual(["l'", 'home', "d'", 'aquí'])
})

test('the tokens of an elision know their places', () => {
  expect(segment('«L’eau»', 'fr')).toEqual([
    { text: 'L’', start: 1 },
    { text: 'eau', start: 3 },
  ])
})

test('Japanese and Chinese are split at word boundaries', () => {
  expect(texts('猫が好きです。', 'ja')).toEqual(['猫', 'が', '好き', 'です'])
  expect(texts('我喜欢猫。', 'zh')).toEqual(['我', '喜欢', '猫'])
})

test('a token knows its place in the text', () => {
  expect(segment('“Hi, cat!”', 'en')).toEqual([
    { text: 'Hi', start: 1 },
    { text: 'cat', start: 5 },
  ])
})

test('plain text is split as the segmenter of any language splits it', () => {
  const characters = [...`abYZéßıÖŁ019''’’..,,;;--‐‑  \n!?"(…)–“”¿¡«»♪/&@#$%*+<=>[\\]^\`{|}~`]
  const plain = fc.string({ unit: fc.constantFrom(...characters), maxLength: 16 })
  const language = fc.constantFrom('en', 'es', 'fr', 'de', 'tr', 'ru', 'ja', 'zh', 'fi', 'sv', 'he')
  fc.assert(
    // A snowman is no token, and of a text with one the segmenter tells the boundaries.
    fc.property(plain, language, (text, code) => {
      expect(segment(text, code)).toEqual(segment(`${text} ☃`, code))
    }),
    { numRuns: 2_000 },
  )
})

test('a colon and a low line are left to the language', () => {
  expect(texts('12:30 snake_case')).toEqual(['12', '30', 'snake_case'])
  expect(texts('EU:n kaupunki', 'fi')).toEqual(['EU:n', 'kaupunki'])
})
