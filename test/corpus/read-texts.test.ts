import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readTexts } from '#corpus/read-texts.ts'
import { tempFolder } from '../harness/temp-folder.ts'

/** Returns the texts, without their positions in bytes. */
function textsOf(folder: string) {
  return Array.from(readTexts(folder, 'lines.tsv'), (read) => {
    const { from: _, to: __, ...text } = read
    return text
  })
}

async function linesOf(...content: (string | Uint8Array)[]) {
  const folder = tempFolder()
  await writeFile(
    join(folder, 'lines.tsv'),
    Buffer.concat(content.map((piece) => Buffer.from(piece as string))),
  )
  return textsOf(folder)
}

test('counts lines from 1, including blank ones and a last one without a line end', async () => {
  const lines = [
    { line: 1, text: 'a' },
    { line: 3, text: 'b' },
  ]
  expect(await linesOf('a\n\nb')).toEqual(lines)
  expect(await linesOf('a\n\nb\n')).toEqual(lines)
  expect(await linesOf('')).toEqual([])
})

test('reports a line that is not UTF-8, and reads the next ones', async () => {
  const lines = await linesOf('a\n', Uint8Array.of(0x66, 0xff), '\nc')
  expect(lines).toEqual([
    { line: 1, text: 'a' },
    { line: 2, text: null, reason: 'the record is not valid UTF-8' },
    { line: 3, text: 'c' },
  ])
})

test('reads characters and lines across two blocks whole', async () => {
  const long = 'é'.repeat(800_000)
  expect((await linesOf(`x${long}\n${long}`)).map(({ text }) => text)).toEqual([`x${long}`, long])
})

test('does not read a pipe, because it may never end', () => {
  const folder = tempFolder()
  execFileSync('mkfifo', [join(folder, 'lines.tsv')])
  expect(textsOf(folder)).toEqual([{ text: null, reason: 'this is not a regular file' }])
})

test('throws if a file does not exist', () => {
  expect(() => [...readTexts('/nonexistent', 'file')]).toThrow('ENOENT')
})
