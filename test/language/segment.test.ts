import fc from 'fast-check'
import { expect, test } from 'vitest'
import { segment } from '#language/segment.ts'

test.each([
  // Without the punctuation around them, and without what has no letter or digit.
  ['en', '“Well, (you) know…” 42!', ['Well', 'you', 'know', '42']],
  ['en', '— … ?! ♪', []],
  ['en', '', []],
  // Parts joined by one hyphen are one token; a dash, two hyphens or a blank separate tokens.
  ['en', 'a well-known mother‐in‑law', ['a', 'well-known', 'mother‐in‑law']],
  ['en', 'well--known well - known well- known well–known', Array(4).fill(['well', 'known']).flat()],
  ['en', "It's o’clock", ["It's", 'o’clock']],
  // An elided word is a token, with its apostrophe.
  ['fr', "L'homme qu’elle n'a pas", ["L'", 'homme', 'qu’', 'elle', "n'", 'a', 'pas']],
  ['fr', "aujourd'hui, quelqu'un, c'est-à-dire", ["aujourd'hui", "quelqu'un", "c'", 'est-à-dire']],
  ['it', "Dell'acqua, un po' d'aria", ["Dell'", 'acqua', 'un', 'po', "d'", 'aria']],
  ['ca', "l'home d'aquí", ["l'", 'home', "d'", 'aquí']],
  ['ja', '猫が好きです。', ['猫', 'が', '好き', 'です']],
  ['zh', '我喜欢猫。', ['我', '喜欢', '猫']],
  // The language's rules decide about a colon and an underscore.
  ['en', '12:30 snake_case', ['12', '30', 'snake_case']],
  ['fi', 'EU:n kaupunki', ['EU:n', 'kaupunki']],
])('in %s, the tokens of %j are %j', (language, text, tokens) => {
  expect(segment(text, language).map((token) => token.text)).toEqual(tokens)
})

test('a token has its position in the text, even after an elision', () => {
  expect(segment('“Hi, cat!”', 'en')).toEqual([
    { text: 'Hi', start: 1 },
    { text: 'cat', start: 5 },
  ])
  expect(segment('«L’eau»', 'fr')).toEqual([
    { text: 'L’', start: 1 },
    { text: 'eau', start: 3 },
  ])
})

test('splits plain text in the same way for all languages', () => {
  const characters = [...`abYZéßıÖŁ019''’’..,,;;--‐‑  \n!?"(…)–“”¿¡«»♪/&@#$%*+<=>[\\]^\`{|}~`]
  const plain = fc.string({ unit: fc.constantFrom(...characters), maxLength: 16 })
  const language = fc.constantFrom('en', 'es', 'fr', 'de', 'tr', 'ru', 'ja', 'zh', 'fi', 'sv', 'he')
  fc.assert(
    // A snowman is not a token, and in a text with one, the segmenter finds the boundaries.
    fc.property(plain, language, (text, code) => {
      expect(segment(text, code)).toEqual(segment(`${text} ☃`, code))
    }),
    { numRuns: 2_000 },
  )
})
