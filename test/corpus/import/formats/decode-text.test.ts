import { deflateRawSync } from 'node:zlib'
import iconv from 'iconv-lite'
import { expect, test } from 'vitest'
import { CueTally } from '#corpus/import/cue-tally.ts'
import { decodeText } from '#corpus/import/formats/decode-text.ts'

const decode = (bytes: Uint8Array, language = 'en', encoding?: string) => {
  const tally = new CueTally()
  return { ...decodeText(bytes, language, tally, encoding), repairs: tally.repairs }
}
const utf16 = Buffer.from('\ufeffWEBVTT café', 'utf16le')
const latin1 = Buffer.from("1\n00:00:01,000 --> 00:00:02,000\nÇa va, l'été où Noël", 'latin1')

test.each([
  ['UTF-8', 'en', Buffer.from('café'), 'café', 'utf-8'],
  ['UTF-8 with its mark', 'en', Buffer.from('\ufeffcafé'), 'café', 'utf-8'],
  ['UTF-16 by its mark', 'en', utf16, 'WEBVTT café', 'utf-16le'],
  ['UTF-16 the other way round', 'en', Buffer.from(utf16).swap16(), 'WEBVTT café', 'utf-16be'],
  ['UTF-16 by its zero bytes', 'en', utf16.subarray(2), 'WEBVTT café', 'utf-16le'],
  ['Latin-1', 'fr', latin1, latin1.toString('latin1'), 'windows-1252'],
  ['Shift_JIS', 'ja', Buffer.from('82b182f182c982bf82cd8141', 'hex'), 'こんにちは、', 'shift_jis'],
  ['ISO-2022-JP', 'ja', Buffer.from('\x1b$B$*$O$h$&\x1b(B'), 'おはよう', 'iso-2022-jp'],
  ['windows-1251', 'ru', Buffer.from('cff0e8e2e5f22c20ece8f0', 'hex'), 'Привет, мир', 'windows-1251'],
  ['windows-1254', 'tr', Buffer.from('fdf0647af9720afef6796c65', 'hex'), 'ığdzùr\nşöyle', 'windows-1254'],
])('%s, in a language that uses it (%s)', (_, language, bytes, text, encoding) => {
  expect(decode(bytes, language)).toEqual({ text, encoding, repairs: {} })
})

/** Returns the bytes of a text in a single-byte encoding; null if it lacks a character. */
function encode(text: string, encoding: string): Uint8Array | null {
  const decoder = new TextDecoder(encoding)
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]))
  const encoded = Array.from(text, (character) => bytes.get(character))
  return encoded.includes(undefined) ? null : Uint8Array.from(encoded as number[])
}

test.each([
  ['cs', 'Příliš žluťoučký kůň', 'windows-1250 iso-8859-2'],
  ['sk', 'Mäkčeň a ťažký dĺžeň, žltý kľúč', 'windows-1250 iso-8859-2'],
  ['pl', 'Zażółć gęślą jaźń, Święta', 'windows-1250 iso-8859-2'],
  ['hu', 'Árvíztűrő tükörfúrógép', 'windows-1250'],
  ['ro', 'Ştiu că eşti în maşină', 'windows-1250'],
  ['hr', 'Šešir i ključ, noć, đak, žut', 'windows-1250 iso-8859-2'],
  ['sr', 'Šešir i ključ, noć, đak, žut', 'windows-1250 iso-8859-2'],
  ['sr', 'Ђак шаље кључ', 'windows-1251 iso-8859-5'],
  ['lt', 'Ąžuolas, ęėįšųū', 'windows-1257 iso-8859-4'],
  ['lv', 'Glāžšķūņa rūķīši', 'windows-1257 iso-8859-4'],
  ['et', 'Õunapuu öö ääres', 'windows-1257'],
  ['tr', 'Pijamalı hasta yağız şoföre çabucak güvendi', 'windows-1254'],
  ['el', 'Πού είναι το κλειδί; Έλα', 'windows-1253'],
  ['ru', 'Съешь ещё этих булок. Да', 'windows-1251 koi8-r ibm866 iso-8859-5 x-mac-cyrillic'],
  ['uk', 'Їжак їсть ґедзя. Є', 'windows-1251 koi8-u x-mac-cyrillic'],
  ['bg', 'Щъркелът яде жаба', 'windows-1251 iso-8859-5'],
  ['fa', 'كليد خانه كجاست؟ پدر', 'windows-1256'],
  ['ar', 'أين المفتاح؟ شكرا', 'windows-1256 iso-8859-6'],
  ['he', 'איפה המפתח', 'windows-1255'],
  ['th', 'กุญแจอยู่ที่ไหน', 'windows-874'],
  ['fr', 'Où est la clé ? Ça va, garçon', 'windows-1252 macintosh'],
  ['de', 'Größere Füße, Äpfel', 'windows-1252 macintosh'],
])('the encoding whose text looks like the language wins: %s, %j', (language, text, encodings) => {
  for (const encoding of encodings.split(' '))
    expect(decode(encode(text, encoding)!, language)).toEqual({ text, encoding, repairs: {} })
})

test.each([
  ['de', 'Größe für Äpfel', 'cp850'],
  ['fr', 'Déjà vu, garçon', 'cp850'],
  ['hu', 'Jó reggelt! Hűvös tőzegkő', 'cp852'],
  ['es', '¿Qué mañana?', 'cp850'],
  ['pl', 'Zażółć gęślą jaźń', 'cp852'],
  ['cs', 'Příliš žluťoučký kůň', 'cp852'],
  ['tr', 'Çok güzel ışık, şöyle ağaç', 'cp857'],
  ['el', 'Πού είναι το κλειδί', 'cp737'],
  ['lt', 'Ąžuolas ėjo į mišką', 'cp775'],
])('chooses a DOS code page only if no other is like the language: %s, %j', (language, text, encoding) => {
  expect(decode(iconv.encode(text, encoding), language)).toEqual({ text, encoding, repairs: {} })
})

test('repairs UTF-8 that was read as windows-1252 and saved again, and leaves other text alone', () => {
  const expected = { text: 'déjà l’été', repairs: { 'character read in another encoding: decoded': 5 } }
  expect(decode(Buffer.from('dÃ©jÃ\u00a0 lâ€™Ã©tÃ©'), 'fr')).toMatchObject(expected)
  for (const text of ['Ã©', 'É» «CAFÉ» É»']) expect(decode(Buffer.from(text), 'fr').text).toBe(text)
})

test('refuses bytes that look like the language in no encoding, but not foreign names', () => {
  const russian = iconv.encode('Где ключ от дома? Вот он.', 'windows-1251')
  expect(() => decode(russian, 'hu')).toThrow(
    'does not look like text in "hu" in any of the encodings UTF-8, windows-1250, iso-8859-2, iso-8859-16, cp852. Set the encoding',
  )
  expect(decode(Buffer.from('Señor Müller', 'latin1'), 'fr').text).toBe('Señor Müller')
})

test('joins a character that was split between cues or tokens where it starts', () => {
  const whole = Buffer.from('庭の花が咲いた、花見')
  const at = Buffer.from('庭の').length
  const split = Buffer.concat([
    whole.subarray(0, at + 2),
    Buffer.from('\n\n2\n0:01\n'),
    whole.subarray(at + 2),
  ])
  expect(decode(split, 'ja')).toEqual({
    text: '庭の花\n\n2\n0:01\nが咲いた、花見',
    encoding: 'utf-8',
    repairs: { 'character split in two: joined': 1 },
  })
})

test('the user may name the encoding', () => {
  expect(decode(Buffer.from([0xe9]), 'en', 'koi8-r')).toMatchObject({ text: 'И', encoding: 'koi8-r' })
  expect(() => decode(Buffer.from([0xff]), 'en', 'utf-8')).toThrow('is not in the encoding "utf-8"')
})

test('drops and counts a character cut at either end, and replaces a stray byte', () => {
  const expected = { text: ', café été ', encoding: 'utf-8', repairs: { 'truncated character: dropped': 2 } }
  expect(decode(Buffer.from('é, café été é').subarray(1, -1))).toEqual(expected)
  const stray = Buffer.concat([Buffer.from('été '.repeat(10)), Buffer.from([0xff]), Buffer.from(' été')])
  expect(decode(stray, 'fr')).toMatchObject({
    encoding: 'utf-8',
    repairs: { 'bytes that are not text: replaced': 1 },
  })
})

test('drops NULs at the end, and a few within', () => {
  expect(decode(Buffer.from(`One\0 line.\n${'\0'.repeat(100)}`))).toEqual({
    text: 'One line.\n',
    encoding: 'utf-8',
    repairs: { 'NUL character: dropped': 101 },
  })
})

test('reads the lines of a file in two encodings', () => {
  const bytes = Buffer.concat([Buffer.from('été\n'), Buffer.from('déjà là\n', 'latin1'), Buffer.from('oui')])
  expect(decode(bytes, 'fr')).toEqual({
    text: 'été\ndéjà là\noui',
    encoding: 'windows-1252',
    repairs: { 'line in UTF-8 among others: decoded': 1 },
  })
})

test.each([
  ['ru', 'windows-1251', 'Привет, как дела?\n– Я…\nИ…\n'],
  ['fr', 'windows-1252', 'Déjà là.\nFERMÉ…\n'],
  ['el', 'windows-1253', 'Καλημέρα.\nΟ…\n'],
])('reads a short line in %s that would also be valid UTF-8', (language, encoding, text) => {
  expect(decode(iconv.encode(text, encoding), language)).toEqual({ text, encoding, repairs: {} })
})

test('refuses data that is not text', () => {
  expect(() => decode(Buffer.from('a\0\0\0b'))).toThrow('is not a text file')
  const compressed = deflateRawSync(Array.from({ length: 20_000 }, (_, i) => i * i).join(' '))
  expect(() => decode(compressed)).toThrow('is not a text file')
  const withHole = Buffer.concat([Buffer.from('a'), Buffer.alloc(200_000), Buffer.from('b')])
  expect(() => decode(withHole)).toThrow('is not a text file')
})
