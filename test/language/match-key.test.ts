import { describe, expect, test } from 'vitest'
import { matchKey, stripPunctuation } from '#language/match-key.ts'

describe('stripping punctuation', () => {
  test('takes away what stands around a text and nothing within it', () => {
    expect(stripPunctuation('“Well—known,”')).toBe('Well—known')
    expect(stripPunctuation("(rock'n'roll)")).toBe("rock'n'roll")
  })

  test('keeps digits and marks', () => {
    expect(stripPunctuation('¿42?')).toBe('42')
    expect(stripPunctuation('«हिन्दी»')).toBe('हिन्दी')
  })

  test('leaves nothing of what has no letter, digit or mark', () => {
    expect(stripPunctuation('…!?')).toBe('')
  })
})

describe('the match key', () => {
  test.each([
    ['Mother-in-law', 'mother in law'],
    ['ice‑cream', 'ice cream'],
    ['ice‐cream', 'ice cream'],
    ['look   after', 'look after'],
    [' a.m. ', 'a.m'],
    ['“Well,', 'well'],
    ['rock-’n’-roll', 'rock n roll'],
    ['rock ’n’ roll', 'rock n roll'],
    ['CAFE\u0301', 'café'],
    ['—', ''],
    ['', ''],
  ])('of %j is %j', (text, key) => {
    expect(matchKey(text, 'en')).toBe(key)
  })

  test('has a space behind an elided word', () => {
    expect(matchKey('S’il vous plaît', 'fr')).toBe('s il vous plaît')
    expect(matchKey("aujourd'hui", 'fr')).toBe("aujourd'hui")
    expect(matchKey("l'homme", 'en')).toBe("l'homme")
  })

  test('has no vowel points of Arabic and Hebrew', () => {
    expect(matchKey('كَتَبَ', 'ar')).toBe('كتب')
    expect(matchKey('כָּתַב', 'he')).toBe('כתב')
    expect(matchKey('بیت‌المقدس', 'fa')).toBe('بیت‌المقدس')
    expect(matchKey('が', 'ja')).toBe('が')
  })

  test('follows the case rules of the language', () => {
    expect(matchKey('ILIK', 'tr')).toBe('ılık')
    expect(matchKey('ILIK', 'en')).toBe('ilik')
    expect(matchKey('ΛΟΓΟΣ', 'el')).toBe(matchKey('λόγος', 'el').replace('ό', 'ο'))
  })
})
