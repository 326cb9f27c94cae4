import { expect, test } from 'vitest'
import { decodeUtf8 } from '#importing/decode-utf8.ts'
import { detectFormat } from '#importing/detect-format.ts'

test.each([
  ['WEBVTT', 'vtt'],
  ['WEBVTT\tA title\n\n', 'vtt'],
  ['WEBVTT\r\n\r\n00:01.000 --> 00:02.000\r\nHi', 'vtt'],
  ['1\n00:00:01,000 --> 00:00:02,000\nHi', 'srt'],
  ['\n\n00:00:01.000-->00:00:02.000\nHi', 'srt'],
  ['[]', 'words'],
  ['\n[ [" Hi", 0, 1] ]', 'words'],
])('%j is %s', (text, format) => {
  expect(detectFormat(text)).toBe(format)
})

test.each([
  ['', 'is empty'],
  [' \n', 'is empty'],
  ['WEBVTTX\n\nHi', 'is neither'],
  ['webvtt', 'is neither'],
  ['0:00:01.000,0:00:02.000\nHi', 'is neither'],
  ['{"segments": []}', 'is neither'],
  ['[Music]', 'is neither'],
])('%j is refused', (text, reason) => {
  expect(() => detectFormat(text)).toThrow(reason)
})

test('the byte order mark goes, and what is no UTF-8 is refused', () => {
  expect(decodeUtf8(Buffer.from('\ufeffWEBVTT'))).toBe('WEBVTT')
  expect(() => decodeUtf8(Buffer.from('caf\u00e9', 'latin1'))).toThrow('is not UTF-8: save it as UTF-8')
  expect(() => decodeUtf8(Buffer.from('\ufeffWEBVTT', 'utf16le'))).toThrow(
    'is not UTF-8 (its first bytes say UTF-16)',
  )
})
