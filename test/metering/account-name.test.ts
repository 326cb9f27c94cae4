import { expect, test } from 'vitest'
import { accountName, foldName, newAccountName } from '#metering/account-name.ts'

test.each(['', '  ', 'a'.repeat(129), '😀'.repeat(129)])('%j cannot be the name of an account', (name) => {
  expect(() => accountName(name)).toThrow('it must have 1 to 128 characters')
})

test.each([
  'a\nb',
  'ann\n',
  '\u0000',
  'a\u0085b',
  'ann\u200b',
  '\u202ebob',
  '\ufeffann',
  'a\ud800',
  '\u00adann',
])('a name cannot contain invisible characters: %j', (name) => {
  expect(() => accountName(name)).toThrow('it must not contain invisible characters')
})

test.each(['a', '😀'.repeat(128), 'Bäckerei Öz & Söhne', '学校'])('a name can be %s', (name) => {
  expect(accountName(name)).toBe(name)
})

test('the invisible characters of a refused name are shown', () => {
  expect(() => accountName('\u202ebob\n')).toThrow(String.raw`the account name "\u{202e}bob\n":`)
})

test('a new account can have a name that contains clk_', () => {
  expect(newAccountName('ann clk_1')).toBe('ann clk_1')
})

test.each(['clk_1', ' CLK_abc'])('a new account cannot have the name %j, which looks like a key', (name) => {
  expect(() => newAccountName(name)).toThrow('an account name cannot begin with "clk_"')
})

test('a name is trimmed and normalised to NFC', () => expect(accountName('  cafe\u0301 ')).toBe('caf\u00e9'))

test.each([
  ['BigCorp', 'bigcorp', 'BIGCORP', 'ＢｉｇＣｏｒｐ', 'big\ufe0fcorp', 'bi\u034fgcorp'],
  ['straße', 'STRASSE', 'STRA\u1e9eE', 'ﬅraße'],
  ['Όδος', 'ΌΔΟΣ', 'όδοσ'],
  ['Åse', 'A\u030ase', '\u212bse'],
])('%s is the same name as %s and others that look the same', (...names) => {
  expect(new Set(names.map(foldName)).size).toBe(1)
})

test.each([
  ['BigCorp', 'bigcorp'],
  ['STRA\u1e9eE', 'strasse'],
  ['ΌΔΟΣ', 'όδοσ'],
])('existing stores find the account %s by the text %j', (name, text) => {
  expect(foldName(name)).toBe(text)
})

test('names that look different are different', () => {
  expect(new Set(['bigcorp', 'big corp', 'bigcorp1', 'bígcorp', 'b1gcorp'].map(foldName)).size).toBe(5)
})
