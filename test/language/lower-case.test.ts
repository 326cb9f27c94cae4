import { expect, test } from 'vitest'
import { caseKey, lowerCase } from '#language/lower-case.ts'

test.each([
  ['tr', 'ILIK İYİ', 'ılık iyi'],
  ['az', 'ILIK İYİ', 'ılık iyi'],
  ['en', 'ICE', 'ice'],
  ['de', 'ICE', 'ice'],
  ['el', 'ΟΔΟΣ', 'οδοσ'],
  ['el', 'οδος', 'οδοσ'],
  ['en', 'CAFE\u0301', 'caf\u00e9'],
  ['ja', '猫 42 が', '猫 42 が'],
])('in %s, the lower case of %s is %s', (language, text, lower) => {
  expect(lowerCase(text, language)).toBe(lower)
})

test('a case key treats all apostrophes as one', () => {
  const keys = ['don’t', 'DON‘T', 'donʼt', "Don't"].map((text) => caseKey(text, 'en'))
  expect(new Set(keys)).toEqual(new Set(["don't"]))
})

test('a case key is in lower case by the rules of the language, whether letters are composed or not', () => {
  expect(caseKey('ILIK', 'tr')).toBe('ılık')
  expect(caseKey('I\u0307yi', 'tr')).toBe('iyi')
  expect(caseKey('E\u0301', 'fr')).toBe('é')
})
