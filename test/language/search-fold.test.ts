import { describe, expect, test } from 'vitest'
import { searchFold } from '#language/search-fold.ts'

describe('the search fold', () => {
  test.each([
    ['é', 'en', 'e'],
    ['É', 'fr', 'e'],
    ['E\u0301', 'fr', 'e'],
    ['й', 'ru', 'и'],
    ['ё', 'ru', 'е'],
    ['Ё', 'ru', 'е'],
    ['ά', 'el', 'α'],
    ['ς', 'el', 'σ'],
    ['ệ', 'vi', 'e'],
    ['İ', 'tr', 'i'],
    ['ü', 'tr', 'u'],
  ])('drops the diacritics of an alphabetic letter: %s (%s) is %s', (text, language, folded) => {
    expect(searchFold(text, language)).toBe(folded)
  })

  test.each([
    ['ø', 'da'],
    ['ł', 'pl'],
    ['ß', 'de'],
    ['ı', 'tr'],
    ['đ', 'vi'],
    ['が', 'ja'],
    ['ぱ', 'ja'],
    ['हि', 'hi'],
    ['가', 'ko'],
  ])('leaves what is no base letter with a mark: %s (%s) stays', (text, language) => {
    expect(searchFold(text, language)).toBe(text)
  })

  test('ignores case by the rules of the language', () => {
    expect(searchFold('ISLAK', 'tr')).toBe('ıslak')
    expect(searchFold('ISLAND', 'en')).toBe('island')
  })

  test('takes every apostrophe for one', () => {
    expect(searchFold('L’ÉTÉ', 'fr')).toBe("l'ete")
  })

  test('changes nothing that is folded already', () => {
    for (const text of ['ISLAK', 'Crème brûlée', 'Ёлка', 'がぎぐ', 'Ο ΛΌΓΟΣ']) {
      const once = searchFold(text, 'ru')
      expect(searchFold(once, 'ru')).toBe(once)
    }
  })
})
