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

test('a case key takes every apostrophe for one', () => {
  const keys = ['don’t', 'DON‘T', 'donʼt', "Don't"].map((text) => caseKey(text, 'en'))
  expect(new Set(keys)).toEqual(new Set(["don't"]))
})

test('a case key is lower case by the rules of the language, of composed and decomposed letters', () => {
  expect(caseKey('ILIK', 'tr')).toBe('ılık')
  expect(caseKey('I\u0307yi', 'tr')).toBe('iyi')
  expect(caseKey('E\u0301', 'fr')).toBe('é')
})
