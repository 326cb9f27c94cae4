import { expect, test } from 'vitest'
import { CueTally } from '#importing/cue-tally.ts'
import { parseWordTimings } from '#importing/formats/parse-word-timings.ts'
import { prepareCues } from '#importing/formats/prepare-cues.ts'

const parse = (timings: unknown, language = 'en', tally = new CueTally()) =>
  prepareCues(parseWordTimings(timings, language, tally).cues, language, tally)
const texts = (timings: unknown) => parse(timings).map((cue) => cue.text)
/** Words of 0.5 s without silence between them. */
const spoken = (...words: string[]) => words.map((word, i) => [` ${word}`, i / 2, i / 2 + 0.5])

test('a leading space begins a word, none joins it to the word before', () => {
  expect(
    parse([
      [' It', 0, 0.2],
      [' is', 0.2, 0.4],
      [' 30', 0.4, 0.6],
      ['.', 0.6, 0.6],
      ['5', 0.6, 0.9],
      ['%', 0.9, 1],
    ]),
  ).toEqual([
    {
      tStart: 0,
      tEnd: 1,
      text: 'It is 30.5%',
      words: [
        { text: 'It', tStart: 0, tEnd: 0.2 },
        { text: 'is', tStart: 0.2, tEnd: 0.4 },
        { text: '30.5%', tStart: 0.4, tEnd: 1 },
      ],
    },
  ])
})

test('a cue ends with a sentence', () => {
  expect(texts(spoken('Really?', '"Yes."', 'Good.', 'Wait…', 'No', 'more'))).toEqual([
    'Really?',
    '"Yes."',
    'Good.',
    'Wait…',
    'No more',
  ])
})

test('an initial, or a full stop before a small letter, ends none', () => {
  expect(texts(spoken('J.', 'S.', 'Bach', 'at', '8', 'p.m.', 'or', 'so'))).toEqual([
    'J. S. Bach at 8 p.m. or so',
  ])
})

test('a silence of more than a second ends a cue, one of a second does not', () => {
  expect(
    texts([
      [' one', 0, 1],
      [' two', 2, 3],
      [' three', 4.001, 5],
    ]),
  ).toEqual(['one two', 'three'])
})

test('a cue holds at most 84 characters', () => {
  const lengths = texts(spoken(...Array.from({ length: 60 }, () => 'abcdefg'))).map((text) => text.length)
  expect(lengths).toEqual([79, 79, 79, 79, 79, 79])
  expect(texts(spoken('a'.repeat(42), 'b'.repeat(41), 'c')).map((text) => text.length)).toEqual([84, 1])
  expect(texts(spoken('a'.repeat(200), 'b')).map((text) => text.length)).toEqual([200, 1])
})

test('no words give no cues', () => {
  expect(parse([])).toEqual([])
  expect(parse([[' ', 0, 1]])).toEqual([])
})

test('sentence timings are cues as they are', () => {
  expect(
    parse([
      ['A whole sentence.', 0, 2],
      ['And one more.', 2, 3],
    ]),
  ).toEqual([
    { tStart: 0, tEnd: 2, text: 'A whole sentence.' },
    { tStart: 2, tEnd: 3, text: 'And one more.' },
  ])
})

test('words as objects need no blanks, and one without times shares those of its neighbours', () => {
  const tally = new CueTally()
  const words = [
    { word: 'It', start: 0, end: 0.2 },
    { word: 'is' },
    { word: '30.', start: 0.6, end: 1 },
    { text: 'Yes', start: 1, end: 1.5 },
  ]
  expect(parse(words, 'en', tally)).toEqual([
    {
      tStart: 0,
      tEnd: 1,
      text: 'It is 30.',
      words: [
        { text: 'It', tStart: 0, tEnd: 0.2 },
        { text: 'is', tStart: 0.2, tEnd: 0.6 },
        { text: '30.', tStart: 0.6, tEnd: 1 },
      ],
    },
    { tStart: 1, tEnd: 1.5, text: 'Yes', words: [{ text: 'Yes', tStart: 1, tEnd: 1.5 }] },
  ])
  expect(tally.summary().repairs).toEqual({ 'word without times: interpolated': 1 })
})

test('in Japanese what is joined is cut into words again', () => {
  const words = [
    ['私', 0, 0.4],
    ['は', 0.4, 0.6],
    ['ニ', 0.6, 0.7],
    ['ュー', 0.7, 0.8],
    ['ス', 0.8, 1],
  ]
  expect(parse(words, 'ja')).toMatchObject([
    {
      text: '私はニュース',
      words: [{ text: '私' }, { text: 'は' }, { text: 'ニュース', tStart: 0.6, tEnd: 1 }],
    },
  ])
})

test.each([
  [[[' a', 0]], 'entry [0]'],
  [
    [
      [' a', 0, 1],
      [' b', '1', 2],
    ],
    'entry [1][1]: wanted [" word", start, end]',
  ],
  [[{ start: 0, end: 1, translated: 'a b' }], 'entry [0]: wanted {"word", "start", "end"}'],
])('refuses %j', (timings, reason) => {
  expect(() => parse(timings)).toThrow(reason)
})
