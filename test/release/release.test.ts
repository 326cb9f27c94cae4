import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openRelease, readCurrent } from '#release/release.ts'
import { FolderTree, MissingFile } from '#release/tree.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { buildTree, clip, corpus } from '../nightly/small-corpus.ts'

async function build() {
  const folder = tempFolder()
  await writeSourceFolder(join(folder, 'src'), corpus([clip('Va')]))
  await buildTree(join(folder, 'src'), join(folder, 'dist'))
  return new FolderTree(join(folder, 'dist'))
}

test('a tree without publications has no current release', async () => {
  await expect(readCurrent(new FolderTree(tempFolder()))).rejects.toThrow(MissingFile)
})

test('does not open a missing release', async () => {
  await expect(openRelease(await build(), '000009-00000000')).rejects.toThrow(MissingFile)
})
