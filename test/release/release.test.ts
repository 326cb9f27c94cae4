import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formatVersion } from '#release/manifest.ts'
import { openRelease, readCurrent } from '#release/release.ts'
import { folderTree, MissingFile } from '#release/tree.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { buildTree, clip, corpus, readJson } from '../nightly/small-corpus.ts'

async function build() {
  const folder = tempFolder()
  await writeSourceFolder(join(folder, 'src'), corpus([clip('Va')]))
  const { release: id } = await buildTree(join(folder, 'src'), join(folder, 'dist'))
  return { dist: join(folder, 'dist'), id, tree: folderTree(join(folder, 'dist')) }
}

test('a tree without publications has no current release', async () => {
  await expect(readCurrent(folderTree(tempFolder()))).rejects.toThrow(MissingFile)
})

test('does not open a release of another format version', async () => {
  const { tree, dist, id } = await build()
  const path = join(dist, 'releases', id, 'manifest.json')
  await writeFile(path, JSON.stringify({ ...(await readJson(path)), version: 99 }))
  await expect(openRelease(tree, id)).rejects.toThrow(
    `has format version 99, but this program reads version ${formatVersion}`,
  )
})

test('does not open a missing release', async () => {
  const { tree } = await build()
  await expect(openRelease(tree, '000009-00000000')).rejects.toThrow(MissingFile)
})
