import { mkdir, open, symlink, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readClips } from '#corpus/clip-files.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { clip, writeFiles } from '../nightly/small-corpus.ts'

async function read(files: Record<string, string | Uint8Array>) {
  const folder = tempFolder()
  await writeFiles(folder, files)
  return await readAll(folder)
}

/** Returns the clips, without their positions in bytes. */
async function readAll(folder: string) {
  return (await Array.fromAsync(readClips(folder))).map((read) => {
    const { from: _, to: __, ...clip } = read
    return clip
  })
}

test('reads clips by path, then line, and ignores other files', async () => {
  const files = {
    'clips/b.JSON': '1\n',
    'clips/a/z.jsonl': '2\n3\n',
    'clips/a.json': '4',
    'clips/notes.txt': 'x',
  }
  expect(await read(files)).toEqual([
    { file: 'clips/a.json', text: '4' },
    { file: 'clips/a/z.jsonl', line: 1, text: '2' },
    { file: 'clips/a/z.jsonl', line: 2, text: '3' },
    { file: 'clips/b.JSON', text: '1\n' },
  ])
})

test('a folder without clips/ has no clips, and an empty file is an error', async () => {
  expect(await read({ 'catalogue/en.jsonl': '' })).toEqual([])
  const isEmpty = { text: null, reason: 'the file is empty' }
  expect(await read({ 'clips/a.json': ' ', 'clips/b.jsonl': '\n' })).toEqual([
    { file: 'clips/a.json', ...isEmpty },
    { file: 'clips/b.jsonl', ...isEmpty },
  ])
})

test('follows links to folders, and reads each file once', async () => {
  const [folder, outside] = [tempFolder(), tempFolder()]
  await writeFiles(folder, { 'clips/a.json': '1' })
  await writeFiles(outside, { 'b.json': '2' })
  await symlink('.', join(folder, 'clips/itself'))
  await symlink(outside, join(folder, 'clips/more'))
  await symlink('a.json', join(folder, 'clips/again.json'))
  const files = (await Array.fromAsync(readClips(folder))).map(({ file }) => file)
  expect(files).toEqual(['clips/a.json', 'clips/more/b.json'])
})

test('reports a line that is too long to be read, with the video that it names', async () => {
  const folder = tempFolder()
  await mkdir(join(folder, 'clips'))
  const file = await open(join(folder, 'clips/long.jsonl'), 'w')
  await file.write('1\n{"title":"')
  const longer = 66 * 2 ** 20
  await file.write('","videoId":"v","cues":[]}\n2\n', longer)
  await file.close()
  expect(await readAll(folder)).toEqual([
    { file: 'clips/long.jsonl', line: 1, text: '1' },
    {
      file: 'clips/long.jsonl',
      line: 2,
      text: null,
      reason: 'the record is longer than 67108864 bytes',
      videoId: 'v',
    },
    { file: 'clips/long.jsonl', line: 3, text: '2' },
  ])
})

test('streams a .jsonl file: nothing after the last line read is loaded', async () => {
  const folder = tempFolder()
  const line = JSON.stringify(clip('v', 'x'.repeat(5_700))) + '\n'
  const count = 2_000
  await writeFiles(folder, { 'clips/long.jsonl': line.repeat(count) })
  let read = 0
  for await (const { text } of readClips(folder)) {
    if (text !== null && text !== '') read++
    if (read === 1) await truncate(join(folder, 'clips/long.jsonl'), line.length)
  }
  expect(read).toBeLessThan(count / 2)
})
