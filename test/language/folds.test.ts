import { expect, test } from 'vitest'
import { searchFold } from '#language/folds.ts'

test.each([
  ['en', 'é', 'e'],
  ['fr', 'É', 'e'],
  ['fr', 'E\u0301', 'e'],
  ['ru', 'йёЁ', 'иее'],
  ['el', 'άς', 'ασ'],
  ['vi', 'ệ', 'e'],
  ['tr', 'İü', 'iu'],
  // Letters that are not a base letter with a mark stay.
  ...['da ø', 'pl ł', 'de ß', 'tr ı', 'vi đ', 'ja がぱ', 'hi हि', 'ko 가'].map((stays) => {
    const [language, text] = stays.split(' ')
    return [language, text, text]
  }),
  ['tr', 'ISLAK', 'ıslak'],
  ['en', 'ISLAND', 'island'],
  ['fr', 'L’ÉTÉ', "l'ete"],
])('in %s, %s is folded to %s', (language, text, folded) => expect(searchFold(text!, language!)).toBe(folded))

test('text that is folded already does not change', () => {
  for (const text of ['ISLAK', 'Crème brûlée', 'Ёлка', 'がぎぐ', 'Ο ΛΌΓΟΣ']) {
    const once = searchFold(text, 'ru')
    expect(searchFold(once, 'ru')).toBe(once)
  }
})
