import { expect, test } from 'vitest'
import { CueTally } from '#importing/cue-tally.ts'
import { decodeText } from '#importing/formats/decode-text.ts'

const decode = (bytes: Uint8Array, language = 'en', encoding?: string, tally = new CueTally()) =>
  decodeText(bytes, language, tally, encoding)

test('UTF-8 with and without its mark', () => {
  expect(decode(Buffer.from('\ufeffcafé'))).toEqual({ text: 'café', encoding: 'utf-8' })
  expect(decode(Buffer.from('café'))).toEqual({ text: 'café', encoding: 'utf-8' })
})

test('UTF-16 by its mark, or by its zero bytes', () => {
  const little = Buffer.from('\ufeffWEBVTT café', 'utf16le')
  expect(decode(little)).toEqual({ text: 'WEBVTT café', encoding: 'utf-16le' })
  expect(decode(Buffer.from(little).swap16())).toEqual({ text: 'WEBVTT café', encoding: 'utf-16be' })
  expect(decode(little.subarray(2))).toEqual({ text: 'WEBVTT café', encoding: 'utf-16le' })
})

test('legacy encodings are those of the language', () => {
  const latin1 = Buffer.from(
    '1\n00:00:01,000 --> 00:00:02,000\nÇa va, l’été où Noël'.replace('’', "'"),
    'latin1',
  )
  expect(decode(latin1, 'fr')).toMatchObject({
    text: expect.stringContaining("Ça va, l'été où Noël"),
    encoding: 'windows-1252',
  })
  // こんにちは、世界。 in Shift_JIS
  const shiftJis = Buffer.from('82b182f182c982bf82cd814190a28a458142', 'hex')
  expect(decode(shiftJis, 'ja')).toMatchObject({
    encoding: 'shift_jis',
    text: expect.stringMatching(/^こんにちは、/),
  })
  // Привет, мир in windows-1251
  expect(decode(Buffer.from('cff0e8e2e5f22c20ece8f0', 'hex'), 'ru').text).toBe('Привет, мир')
  // ığdır şöyle in windows-1254
  expect(decode(Buffer.from('fdf0647af9720afef6796c65', 'hex'), 'tr').encoding).toBe('windows-1254')
})

test('the user may say what it is', () => {
  expect(decode(Buffer.from([0xe9]), 'en', 'koi8-r')).toEqual({ text: 'И', encoding: 'koi8-r' })
  expect(() => decode(Buffer.from([0xff]), 'en', 'utf-8')).toThrow('is not in the encoding "utf-8"')
})

test('a character cut in two at either end is left out and counted', () => {
  const tally = new CueTally()
  const bytes = Buffer.from('é, café été é')
  expect(decode(bytes.subarray(1, -1), 'en', undefined, tally)).toEqual({
    text: ', café été ',
    encoding: 'utf-8',
  })
  expect(tally.repairs).toEqual({ 'truncated character: dropped': 2 })
})

test('a stray byte in UTF-8 is replaced and counted', () => {
  const tally = new CueTally()
  const bytes = Buffer.concat([Buffer.from('été '.repeat(10)), Buffer.from([0xff]), Buffer.from(' été')])
  expect(decode(bytes, 'fr', undefined, tally).encoding).toBe('utf-8')
  expect(tally.repairs).toEqual({ 'bytes that are not text: replaced': 1 })
})

test('what is no text is refused', () => {
  expect(() => decode(Buffer.from('a\0\0\0b'))).toThrow('is not text')
})
