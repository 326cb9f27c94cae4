import { expect, test } from 'vitest'
import { foldBlanks } from '#corpus/import/formats/clean-text.ts'
import { blankNoise, findSpeakers } from '#corpus/import/formats/noise.ts'

const spoken = (text: string, ...others: string[]) =>
  foldBlanks(blankNoise(text, findSpeakers([text, ...others])).text)

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
  ['ADA, BOB: Hello', 'Hello'],
  ['WOMAN (ON PHONE): Hello', 'Hello'],
  ['[SPEAKER_01]: Hello', 'Hello'],
  ['(rain falling) Hello', 'Hello'],
  ['Hello (sighs) again', 'Hello again'],
  ['（雨の音）はい', 'はい'],
  ['(ladridos) Hola', 'Hola'],
  ['[문 닫히는 소리] 네', '네'],
])('in %j, the speech is %j', (text, said) => expect(spoken(text)).toBe(said))

test.each([
  'the [CLS] token',
  'f(x) is (2 + dt)',
  'it was [insightful] and (stringent)',
  'a (boosted) [hostel]',
  'the (ringing) phone',
  '[Background] of it',
  '(Later) we left',
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
])('all of %j is speech', (text) => expect(spoken(text)).toBe(text))

test('a name before a colon is a speaker if it recurs', () => {
  expect(spoken('Ada Lovelace: Yes.')).toBe('Ada Lovelace: Yes.')
  expect(spoken('Ada Lovelace: Yes.', 'Ada Lovelace: No.')).toBe('Yes.')
  expect(spoken('Ada: Yes.', 'Ada: No.')).toBe('Ada: Yes.')
  expect(spoken('Ada: Yes.', 'Ada: No.', 'Ada: Perhaps.')).toBe('Yes.')
  expect(spoken('Ada: Yes.', 'Ada: No.', 'Bob: Why?', 'Bob: No.')).toBe('Yes.')
  expect(spoken('太郎：はい', '太郎：いいえ', '太郎：さあ')).toBe('はい')
  expect(spoken('Monday: Rice.', 'Monday: Soup.', 'Monday: Fish.')).toBe('Monday: Rice.')
  expect(spoken('Menu: rice.', 'Menu: soup.', 'Menu: fish.')).toBe('Menu: rice.')
  expect(spoken('Question: Yes?', 'Question: No?', 'Question: Perhaps?')).toBe('Question: Yes?')
})

test('a name in brackets before speech is a speaker if several lines have one', () => {
  expect(spoken('[Ada] Yes.', '[Bob] No.')).toBe('Yes.')
  expect(spoken('（太郎）はい', '（太郎）いいえ')).toBe('はい')
  expect(spoken('（本当）はい', '（多分）いいえ')).toBe('（本当）はい')
  expect(spoken('[Ada] is here', '[Bob] is not')).toBe('[Ada] is here')
})

test('removes the reading of a word in brackets without leaving a gap', () => {
  const [ja, zh] = [
    blankNoise('早(はや)く帰る（ね）', new Set(), 'ja').text,
    blankNoise('你好(nǐ hǎo)吗', new Set(), 'zh').text,
  ]
  expect(ja.replaceAll('\ufeff', '')).toBe('早く帰る（ね）')
  expect(zh.replaceAll('\ufeff', '')).toBe('你好吗')
})

test('removed text has the length of the original', () => {
  for (const text of ['🎵 [Music] a', '>> Ada: b', '- c\n- d', '［笑］(Applause)'])
    expect(blankNoise(text, new Set()).text).toHaveLength(text.length)
})
