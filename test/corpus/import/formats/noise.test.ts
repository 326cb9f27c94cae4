import { expect, test } from 'vitest'
import { foldBlanks } from '#corpus/import/formats/clean-text.ts'
import { blankNoise, findSpeakers } from '#corpus/import/formats/noise.ts'

const spoken = (text: string, ...others: string[]) =>
  foldBlanks(blankNoise(text, findSpeakers([text, ...others])))

test.each([
  ['[Music]', ''],
  ['(Applause) Thank you.', 'Thank you.'],
  ['[cheers and applause] Wow', 'Wow'],
  ['(DOOR SLAMS) Who is there?', 'Who is there?'],
  ['*laughs* Right', 'Right'],
  ['[аплодисменты]', ''],
  ['（笑い）そうですね', 'そうですね'],
  ['【音乐】你好', '你好'],
  ['(Applaus) Danke', 'Danke'],
  ['♪ la la ♫', 'la la'],
  ['>> Hello.', 'Hello.'],
  ['Hello. >> Hi there', 'Hello. Hi there'],
  ['>> Ada: Hello', 'Hello'],
  ['- Hello.\n– Hi.', 'Hello. Hi.'],
  ['JANE DOE: Hello', 'Hello'],
  ['man #3: Hello', 'Hello'],
  ['[Instructor] JANE DOE: Hello', 'Hello'],
])('of %j is said %j', (text, said) => {
  expect(spoken(text)).toBe(said)
})

test.each([
  'the [CLS] token',
  'f(x) is (2 + dt)',
  'the vector [0,1,0]',
  '(I think so.)',
  'he (my uncle) came',
  'a >> b',
  'it was -5 degrees',
  '-5 degrees',
  'well-known',
  'Question: what is it?',
  'It is simple: run.',
  'NASA: the agency',
  'at 10:30',
])('all of %j is said', (text) => {
  expect(spoken(text)).toBe(text)
})

test('a name before a colon is a speaker when it recurs', () => {
  expect(spoken('Ada Lovelace: Yes.')).toBe('Ada Lovelace: Yes.')
  expect(spoken('Ada Lovelace: Yes.', 'Ada Lovelace: No.')).toBe('Yes.')
  expect(spoken('Ada: Yes.', 'Ada: No.')).toBe('Ada: Yes.')
  expect(spoken('Ada: Yes.', 'Ada: No.', 'Ada: Perhaps.')).toBe('Yes.')
  expect(spoken('Question: Yes?', 'Question: No?', 'Question: Perhaps?')).toBe('Question: Yes?')
})

test('what is blank has the length of what was there', () => {
  for (const text of ['🎵 [Music] a', '>> Ada: b', '- c\n- d', '［笑］(Applause)'])
    expect(blankNoise(text, new Set())).toHaveLength(text.length)
})
