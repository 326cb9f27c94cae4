import { expect, test } from 'vitest'
import { matchKey, stripPunctuation } from '#language/match-key.ts'

test.each([
  ['“Well—known,”', 'Well—known'],
  ["(rock'n'roll)", "rock'n'roll"],
  ['¿42?', '42'],
  ['«हिन्दी»', 'हिन्दी'],
  ['…!?', ''],
])('%s without the punctuation around it is %s', (text, inner) => expect(stripPunctuation(text)).toBe(inner))

test.each([
  ['en', 'Mother-in-law', 'mother in law'],
  ['en', 'ice‑cream', 'ice cream'],
  ['en', 'ice‐cream', 'ice cream'],
  ['en', 'look   after', 'look after'],
  ['en', ' a.m. ', 'a.m'],
  ['en', '“Well,', 'well'],
  ['en', 'rock-’n’-roll', 'rock n roll'],
  ['en', 'rock ’n’ roll', 'rock n roll'],
  ['en', 'CAFE\u0301', 'café'],
  ['en', '—', ''],
  ['en', '', ''],
  // An elided word is separate.
  ['fr', 'S’il vous plaît', 's il vous plaît'],
  ['fr', "aujourd'hui", "aujourd'hui"],
  ['en', "l'homme", "l'homme"],
  // Vowel points of Arabic and Hebrew are left out.
  ['ar', 'كَتَبَ', 'كتب'],
  ['he', 'כָּתַב', 'כתב'],
  ['fa', 'بیت‌المقدس', 'بیتالمقدس'],
  ['de', 'Gar­ten', 'garten'],
  ['ru', 'хорошо́', 'хорошо'],
  ['en', 'don´t', "don't"],
  ['tr', 'i̇stanbul', 'istanbul'],
  ['hi', 'स्‍थान', 'स्थान'],
  ['ja', 'が', 'が'],
  ['tr', 'ILIK', 'ılık'],
  ['en', 'ILIK', 'ilik'],
  ['el', 'ΛΟΓΟΣ', 'λογοσ'],
  ['el', 'λόγος', 'λόγοσ'],
])('in %s, the match key of %s is %s', (language, text, key) => expect(matchKey(text, language)).toBe(key))
