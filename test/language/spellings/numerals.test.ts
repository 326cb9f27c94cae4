import { expect, test } from 'vitest'
import { digitSpellings } from '#language/spellings/numerals.ts'

test.each([
  ['ja', '二十日', '20日'],
  ['ja', '一番目', '1番目'],
  ['ja', '三百六十五日', '365日'],
  ['zh', '十个', '10个'],
  ['zh', '一百个', '100个'],
  ['zh', '一百一十天', '110天'],
  ['zh', '第二十一', '第21'],
])('%s: %s is also written %s', (language, word, spelling) => {
  expect(digitSpellings(word, language)[0]).toBe(spelling)
})

test('digits have both widths', () => expect(digitSpellings('二十日', 'ja')).toEqual(['20日', '２０日']))

test.each([
  ['ja', '一番'],
  ['ja', '一時'],
  ['ja', '一杯'],
  ['ja', '十分'],
  ['zh', '一点'],
  ['zh', '一百'],
  ['zh', '十一百个'],
  ['en', 'one'],
])('%s: %s is not written in digits', (language, word) => expect(digitSpellings(word, language)).toEqual([]))
