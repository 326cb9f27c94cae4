import { expect, test } from 'vitest'
import { primaryLanguage } from '#corpus/import/languages.ts'

test.each([
  ['en', 'en'],
  ['en-US', 'en'],
  ['PT_br', 'pt'],
  ['es-419', 'es'],
  ['zh-TW', 'zh'],
  ['zh-Hans', 'zh'],
  ['eng', 'en'],
  ['deu', 'de'],
  ['ger', 'de'],
  ['Japanese', 'ja'],
  ['english', 'en'],
  ['Chinese (Simplified)', 'zh'],
  ['English (auto-generated)', 'en'],
  ['Brazilian Portuguese', 'pt'],
  ['mandarin', 'zh'],
])('%s is %s', (said, code) => expect(primaryLanguage(said)).toBe(code))

test.each(['und', '', 'xx', 'Klingonese', '12'])('%j names no language', (said) => {
  expect(primaryLanguage(said)).toBeUndefined()
})
