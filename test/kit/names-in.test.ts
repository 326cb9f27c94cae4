import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { namesIn } from '#kit/names-in.ts'
import { tempFolder } from '../harness/temp-folder.ts'

test('a folder that is missing has no names; a file is an error', async () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'a'), '')
  expect(await namesIn(folder)).toEqual(['a'])
  expect(await namesIn(join(folder, 'b'))).toEqual([])
  await expect(namesIn(join(folder, 'a'))).rejects.toThrow('ENOTDIR')
})
