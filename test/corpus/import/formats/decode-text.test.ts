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
  ['windows-1251', 'ru', Buffer.from('cff0e8e2e5f22c20ece8f0', 'hex'), 'Привет, мир', 'windows-1251'],
  ['windows-1254', 'tr', Buffer.from('fdf0647af9720afef6796c65', 'hex'), 'ığdzùr\nşöyle', 'windows-1254'],
])('%s, in a language that has it (%s)', (_, language, bytes, text, encoding) => {
  expect(decode(bytes, language)).toEqual({ text, encoding, repairs: {} })
})

test('the user may say what it is', () => {
  expect(decode(Buffer.from([0xe9]), 'en', 'koi8-r')).toMatchObject({ text: 'И', encoding: 'koi8-r' })
  expect(() => decode(Buffer.from([0xff]), 'en', 'utf-8')).toThrow('is not in the encoding "utf-8"')
})

test('a character cut in two at either end is left out and counted, a stray byte is replaced', () => {
  expect(decode(Buffer.from('é, café été é').subarray(1, -1))).toEqual({
    text: ', café été ',
    encoding: 'utf-8',
    repairs: { 'truncated character: dropped': 2 },
  })
  const stray = Buffer.concat([Buffer.from('été '.repeat(10)), Buffer.from([0xff]), Buffer.from(' été')])
  expect(decode(stray, 'fr')).toMatchObject({
    encoding: 'utf-8',
    repairs: { 'bytes that are not text: replaced': 1 },
  })
})

test('what is no text is refused', () => {
  expect(() => decode(Buffer.from('a\0\0\0b'))).toThrow('is not text')
})
