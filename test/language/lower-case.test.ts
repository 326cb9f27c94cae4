import { describe, expect, test } from 'vitest'
import { caseKey, lowerCase } from '#language/lower-case.ts'

describe('lower case', () => {
  test.each(['tr', 'az'])('takes I for the capital of ı and İ for that of i in %s', (language) => {
    expect(lowerCase('ILIK İYİ', language)).toBe('ılık iyi')
  })

  test('takes I for the capital of i everywhere else', () => {
    expect(lowerCase('ICE', 'en')).toBe('ice')
    expect(lowerCase('ICE', 'de')).toBe('ice')
  })

  test('takes final sigma for sigma, so that a word does not change with its place', () => {
    expect(lowerCase('ΟΔΟΣ', 'el')).toBe('οδοσ')
    expect(lowerCase('οδος', 'el')).toBe('οδοσ')
  })

  test('gives NFC', () => {
    expect(lowerCase('CAFE\u0301', 'en')).toBe('caf\u00e9')
  })

  test('leaves alone what has no case', () => {
    expect(lowerCase('猫 42 が', 'ja')).toBe('猫 42 が')
  })
})

describe('the case key', () => {
  test('takes every apostrophe for one', () => {
    expect(['don’t', 'DON‘T', 'donʼt', "Don't"].map((text) => caseKey(text, 'en'))).toEqual(
      Array.from({ length: 4 }, () => "don't"),
    )
  })

  test('is lower case by the rules of the language', () => {
    expect(caseKey('ILIK', 'tr')).toBe('ılık')
    expect(caseKey('ILIK', 'en')).toBe('ilik')
    expect(caseKey('ΟΔΟΣ', 'el')).toBe('οδοσ')
  })

  test('takes composed and decomposed letters for the same, capitals too', () => {
    expect(caseKey('I\u0307yi', 'tr')).toBe(caseKey('İyi', 'tr'))
    expect(caseKey('E\u0301', 'fr')).toBe('é')
  })
})
