import { expect, test } from 'vitest'
import { Lexicon } from '#nightly/index/lexicon.ts'
import { caseKey } from '#language/lower-case.ts'
import { matchKey } from '#language/match-key.ts'

test.each([
  ['en', ['Cat’s', 'ｃａｔ', 'ﬁne', 'Café', 'x'.repeat(1000)]],
  ['tr', ['Işık', 'IŞIK', 'İyi', 'i̇']],
  ['ja', ['タベル', 'ﾀﾍﾞﾙ', '𠮷']],
  ['ru', ['Ёлка', 'КОТ']],
])('a text has the keys of its language, cached or not (%s)', (language, texts) => {
  const lexicon = new Lexicon(language, [])
  for (const text of [...texts, ...texts])
    expect(lexicon.spelling(text)).toEqual({
      text,
      key: matchKey(text, language),
      caseKey: caseKey(text, language),
      entries: [],
      keys: [matchKey(text, language)],
    })
})
