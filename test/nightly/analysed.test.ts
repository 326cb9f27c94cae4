import { expect, test } from 'vitest'
import { clipIdOf } from '#corpus/source-clip.ts'
import type { CatalogueWord, SourceCorpus } from '../model/source.ts'
import { resolveWord } from '#release/resolve-word.ts'
import { Nights } from './nights.ts'
import { clip, word } from './small-corpus.ts'

const nights = new Nights()
const sentence = '昨日、本を読んでいました。'

/** Returns clips with these sentences in Japanese. */
function japanese(words: CatalogueWord[], ...sentences: string[]): SourceCorpus {
  const clips = sentences.map((text, i) => clip(`v${i}`, text, { language: 'ja' }))
  return { catalogues: { ja: words }, forms: {}, clips }
}

/** Returns the number of clips with a word. */
async function clipCount(wordId: number): Promise<number> {
  const { words } = await nights.open()
  return words.clipCount(words.find(wordId))
}

/** Returns the record and the transcript of the first clip, by path. */
async function recordsOf(): Promise<[string, string][]> {
  const clipId = clipIdOf({ videoId: 'v0' })
  const files = Object.entries(await nights.files()).filter(([path]) => path.includes(clipId))
  expect(files).toHaveLength(2)
  return files
}

test.each([0, 2])('finds a word in its inflected forms, with %i threads', async (threads) => {
  const source = japanese([word(1, '読む'), word(2, '見る')], sentence, '映画をみた。', '本。')
  await nights.build(source, { threads, threadMinBytes: 1 })
  expect([await clipCount(1), await clipCount(2)]).toEqual([1, 1])
})

test('indexes again a tree built by spelling alone, and keeps the bytes of published files', async () => {
  await nights.build(japanese([word(1, '読む')], sentence), { analysers: false })
  expect(await clipCount(1)).toBe(0)
  const publishedBefore = await recordsOf()
  await nights.again({ analysers: false })
  // With another catalogue, or another indexing version, the clips are indexed again.
  await nights.build(japanese([word(1, '読む'), word(2, '本')], sentence))
  expect([await clipCount(1), await clipCount(2)]).toEqual([1, 1])
  expect(await recordsOf()).toEqual(publishedBefore)
})

test('finds a headword that is added later in clips that were analysed before', async () => {
  await nights.build(japanese([word(1, '見る')], sentence))
  await nights.build(japanese([word(1, '見る'), word(2, '読む')], sentence), { analysers: true })
  expect(await clipCount(2)).toBe(1)
})

test('a text that has a word only as a part is not a spelling of it', async () => {
  const clips = [clip('v0', '今天星期一。他写字。', { language: 'zh' })]
  const words = [word(1, '一'), word(2, '写'), word(3, '今天'), word(4, '星期'), word(5, '字')]
  await nights.build({ catalogues: { zh: words }, forms: {}, clips })
  const release = await nights.open()
  const rows = ['一', '写', '今天', '星期一', '写字'].map((text) => resolveWord(text, 'zh', release))
  expect(rows.map((row) => (row < 0 ? null : release.words.wordId(row)))).toEqual([1, 2, 3, null, null])
  expect(await clipCount(1)).toBe(1)
})
