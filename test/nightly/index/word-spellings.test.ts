import { expect, test } from 'vitest'
import { otherSpellings } from '#nightly/index/word-spellings.ts'
import { spellingsVersion } from '#nightly/index/version.ts'

const words: [language: string, word: string, forms: string[], generated: string[]][] = [
  ['en', 'child', ['children'], []],
  ['es', 'tener', [], ['tengo', 'tuvo']],
  ['ja', '食べる', ['たべる'], []],
  ['ja', '真っ青', ['まっさお'], []],
  ['ja', 'コンピューター', ['コンピュータ'], []],
  ['tr', 'kız', [], []],
  ['zh', '学习', ['學習'], []],
  ['zh', '西安', [], []],
  ['zh', '里', [], []],
  ['zh', '女儿', ['女兒'], []],
  ['zh', '吗', [], []],
  ['ja', 'こんにちは', [], []],
  ['ar', 'كَتَبَ', [], []],
]

/** Returns the other spellings of each word, one per line. */
function spellings(): string[] {
  return words.map(([language, word, forms, generated]) => {
    const catalogueWord = { wordId: 1, language, word, forms, level: 'A1' as const, meanings: {} }
    return `${language} ${word}: ${otherSpellings(catalogueWord, generated).join(', ')}`
  })
}

/**
 * If this fails because words have other spellings, increase `spellingsVersion` in
 * src/nightly/index/version.ts, and enter the new spellings here.
 */
test('version 4 spells readings in romaji, Chinese in pinyin and in the other script, and Arabic without points', () => {
  expect({ version: spellingsVersion, spellings: spellings() }).toEqual({
    version: 4,
    spellings: [
      'en child: children',
      'es tener: tengo, tuvo',
      'ja 食べる: たべる, taberu',
      'ja 真っ青: まっさお, massao',
      'ja コンピューター: コンピュータ, konpyuutaa, kompyuutaa, konpyuta, kompyuta, konpyuuta, kompyuuta, konpyuta, kompyuta',
      'tr kız: ',
      'zh 学习: 學習, xuéxí, xué xí, xuexi, xue xi, xue2xi2, xue2 xi2, 學習',
      "zh 西安: xīān, xī'ān, xī ān, xian, xi'an, xi an, xi1an1, xi1'an1, xi1 an1",
      'zh 里: lǐ, li, li3, 裏, 裡',
      "zh 女儿: 女兒, nǚér, nǚ'ér, nǚ ér, nüer, nü'er, nü er, nü3er2, nü3'er2, nü3 er2, nver, nv'er, nv er, nv3er2, nv3'er2, nv3 er2, 女兒",
      'zh 吗: ma, ma0, ma5, 嗎',
      'ja こんにちは: konnichiha, konnichiwa',
      'ar كَتَبَ: كتب',
    ],
  })
})
