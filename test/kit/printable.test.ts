import { expect, test } from 'vitest'
import { printable } from '#kit/printable.ts'

test.each([
  ['a\u001b[2Jb', 'a\\u001b[2Jb'],
  ['one\nline', 'one\\u000aline'],
  ['\u202etxt.exe', '\\u202etxt.exe'],
  ['C1 \u009b2J', 'C1 \\u009b2J'],
  ['Müller 食べる 🎬', 'Müller 食べる 🎬'],
])('%j is printed as %j', (text, printed) => expect(printable(text)).toBe(printed))

test('keeps line feeds where several lines are allowed', () => {
  expect(printable('a\tb\r\nc\u0007\rd', { isLines: true })).toBe('a\tb\r\nc\\u0007\\u000dd')
})
