import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formatVersion } from '#release/manifest.ts'
import { openRelease, readCurrent } from '#release/release.ts'
import { folderTree, MissingFile } from '#release/tree.ts'
import { clipOf, clipsOf, wordsOf } from '../harness/opened.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { buildTree, clip, corpus, readJson, word } from '../build/small-corpus.ts'

const words = [
  word(4, 'saw'),
  word(2, 'see', { forms: ['saw', 'seen'] }),
  word(3, 'ice-cream'),
  word(7, 'view', { forms: ['seen'] }),
  word(8, 'glimpse', { forms: ['seen', 'ice cream'] }),
]
const source = corpus(
  [clip('Va', 'I saw it. I see.'), clip('Vb', 'A view.'), clip('Vc', 'The view.', { language: 'fr' })],
  words,
)

async function build() {
  const folder = tempFolder()
  await writeSourceFolder(join(folder, 'src'), source)
  const { release: id } = await buildTree(join(folder, 'src'), join(folder, 'dist'))
  return { dist: join(folder, 'dist'), id, tree: folderTree(join(folder, 'dist')) }
}

async function opened() {
  const { tree, id } = await build()
  return await openRelease(tree, id)
}

test('a clip is found by its id in any case, and by its video in its own', async () => {
  const release = await opened()
  const row = release.clips.find('Va')
  expect(clipOf(release, 'Va')!.clip.videoId).toBe('Va')
  expect(release.clips.find(release.clips.clipId(row))).toBe(row)
  expect(release.clips.find(release.clips.clipId(row).toUpperCase())).toBe(row)
  expect(release.clips.find('va')).toBe(-1)
  expect(release.clips.find('nonsense')).toBe(-1)
  expect(release.clips.find('')).toBe(-1)
  expect(release.clips.find('00000000-0000-0000-0000-000000000000')).toBe(-1)
})

test('words come by clipCount, then wordId', async () => {
  const release = await opened()
  expect(wordsOf(release, 'en').map(({ wordId, clipCount }) => [wordId, clipCount])).toEqual([
    [2, 1],
    [4, 1],
    [7, 1],
    [3, 0],
    [8, 0],
  ])
})

test('a spelling names headword before form, then the word of more clips, then the lower id', async () => {
  const release = await opened()
  const named = (text: string) => release.spellings.named(text, 'en').map((row) => release.words.wordId(row))
  expect(named('SAW')).toEqual([4, 2])
  expect(named('seen')).toEqual([2, 7, 8])
  expect(named('Ice cream')).toEqual([3, 8])
  expect(named('nonsense')).toEqual([])
  expect(named('')).toEqual([])
})

test('ordinals are places in the domain of the language', async () => {
  const release = await opened()
  expect(release.clips.rangeOf('en')).toMatchObject({ domain: 2 })
  expect(clipsOf(release, 'en').map((row) => row?.ordinal)).toEqual([0, 1])
  expect(release.clips.rangeOf('fr')).toMatchObject({ domain: 1 })
  expect(clipsOf(release, 'fr')).toHaveLength(1)
  expect(wordsOf(release, 'fr')).toEqual([])
  expect(release.clips.rangeOf('xx')).toMatchObject({ domain: 0 })
})

test('data is read by the names that the rows hold', async () => {
  const release = await opened()
  const { record } = clipOf(release, 'Vb')!
  expect(JSON.parse((await release.read(record.path, record.digest)).toString())).toMatchObject({
    videoId: 'Vb',
    wordCount: 1,
  })
})

test('a tree where nothing was published has no current release', async () => {
  await expect(readCurrent(folderTree(tempFolder()))).rejects.toThrow(MissingFile)
})

test('a release of another format version does not open', async () => {
  const { tree, dist, id } = await build()
  const path = join(dist, 'releases', id, 'manifest.json')
  await writeFile(path, JSON.stringify({ ...(await readJson(path)), version: 99 }))
  await expect(openRelease(tree, id)).rejects.toThrow(
    `has format version 99, this program reads version ${formatVersion}`,
  )
})

test('a release that is not there does not open', async () => {
  const { tree } = await build()
  await expect(openRelease(tree, '000009-00000000')).rejects.toThrow(MissingFile)
})
