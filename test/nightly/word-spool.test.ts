import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { WordSpool } from '#nightly/word-spool.ts'
import { tempFolder } from '../harness/temp-folder.ts'

const item = (text: string) => ({ key: `key of ${text[0]}`, text: JSON.stringify({ text }) })

test('what is put down clip by clip is taken up word by word, then nothing is left', async () => {
  const folder = join(tempFolder(), 'spool')
  const spool = new WordSpool(folder)
  const long = 'tab\tline\n'.repeat(300_000)
  for (const [wordId, text] of [
    [257, 'a'],
    [1, 'b'],
    [2, 'c'],
    [257, long],
    [1, long],
    [257, 'd'],
  ] as const) {
    await spool.put(wordId, item(text))
  }
  const found = await Array.fromAsync(spool.words())
  expect(found).toEqual([
    { wordId: 1, items: [item('b'), item(long)] },
    { wordId: 257, items: [item('a'), item(long), item('d')] },
    { wordId: 2, items: [item('c')] },
  ])
  await spool.remove()
  expect(existsSync(folder)).toBe(false)
})
