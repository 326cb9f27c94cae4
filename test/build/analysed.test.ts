import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clipIdOf } from '#corpus/source-clip.ts'
import { openRelease } from '#release/release.ts'
import { folderTree } from '#release/tree.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import type { CatalogueWord } from '../model/source.ts'
import { buildTree, clip, filesOf, word } from './small-corpus.ts'

/** Builds clips that say these sentences in Japanese. */
async function sourceWith(words: CatalogueWord[], ...sentences: string[]) {
  const folder = tempFolder()
  const [src, dist] = [join(folder, 'src'), join(folder, 'dist')]
  const clips = sentences.map((text, i) => clip(`v${i}`, text, { language: 'ja' }))
  const write = (catalogue: CatalogueWord[]) =>
    writeSourceFolder(src, { catalogues: { ja: catalogue }, forms: {}, clips })
  await write(words)
  return { src, dist, write }
}

/** In how many clips a word is found. */
async function clipCount(dist: string, wordId: number): Promise<number> {
  const { release } = JSON.parse(await readFile(join(dist, 'current.json'), 'utf8')) as { release: string }
  const { words } = await openRelease(folderTree(dist), release)
  return words.clipCount(words.find(wordId))
}

const sentence = '昨日、本を読んでいました。'

test('a word said in an inflected form is found, in one thread or in several', async () => {
  for (const threads of [0, 2]) {
    const { src, dist } = await sourceWith(
      [word(1, '読む'), word(2, '見る')],
      sentence,
      '映画をみた。',
      '本。',
    )
    await buildTree(src, dist, { threads, threadMinBytes: 1 })
    expect([await clipCount(dist, 1), await clipCount(dist, 2)]).toEqual([1, 1])
  }
})

test('a tree built by spelling alone is indexed again, and what is published keeps its bytes', async () => {
  const { src, dist } = await sourceWith([word(1, '読む')], sentence)
  await buildTree(src, dist, { analysers: false })
  expect(await clipCount(dist, 1)).toBe(0)
  const publishedBefore = await recordsOf(dist)
  await buildTree(src, dist, { analysers: false })
  // Another catalogue, or another indexing version: either way the clips are indexed again.
  const { src: again } = await sourceWith([word(1, '読む'), word(2, '本')], sentence)
  await buildTree(again, dist)
  expect([await clipCount(dist, 1), await clipCount(dist, 2)]).toEqual([1, 1])
  expect(await recordsOf(dist)).toEqual(publishedBefore)
})

test('a headword added later is found in clips as they were analysed before', async () => {
  const { src, dist, write } = await sourceWith([word(1, '見る')], sentence)
  await buildTree(src, dist)
  await write([word(1, '見る'), word(2, '読む')])
  await buildTree(src, dist, { analysers: true })
  expect(await clipCount(dist, 2)).toBe(1)
})

/** The record and the transcript of the first clip, by path. */
async function recordsOf(dist: string): Promise<[string, string][]> {
  const clipId = clipIdOf({ videoId: 'v0' })
  const files = Object.entries(await filesOf(dist)).filter(([path]) => path.includes(clipId))
  expect(files).toHaveLength(2)
  return files
}
