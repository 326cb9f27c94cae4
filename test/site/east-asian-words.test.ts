import { expect, test } from 'vitest'
import { languageOfWord } from '#site/components/east-asian-words.ts'

test.each([
  ['食べる', 'the Chinese 吃 and 食べる', 'ja'],
  ['吃', 'the Japanese 食べる and the Chinese 吃', 'zh'],
  ['東京', 'とうきょう finds 東京', 'ja'],
  ['寿司', '散歩 and 寿司 in Japanese', 'ja'],
  ['学习', 'xuexi finds 学习, in pinyin', 'zh'],
  ['家', 'house finds 家', 'zh'],
  ['물', 'water is 물', 'ko'],
])('takes the language of %s in “%s” for %s', (word, text, language) => {
  expect(languageOfWord(word, text)).toBe(language)
})
