import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { smallCorpus } from '../../fixtures/small-corpus.ts'
import { startService } from '../../harness/service.ts'
import { writeSourceFolder } from '../../harness/source-folder.ts'
import { tempFolder } from '../../harness/temp-folder.ts'

const [aClip] = smallCorpus.clips
const words = Array.from({ length: 25 }, (_, i) => ({
  wordId: 1000 + i,
  word: `word${String.fromCharCode(97 + i)}`,
  level: 'A2' as const,
  meanings: { en: `meaning ${i}`, es: `sentido ${i}` },
  forms: [],
}))
const clips = words.map((_, i) => ({
  ...aClip!,
  videoId: `v${i}`,
  cues: [{ tStart: 1, tEnd: 9, text: words.map(({ word }) => word).join(' ') }],
}))

test('lists have 20 items unless a request says otherwise', async () => {
  const folder = tempFolder()
  await writeSourceFolder(join(folder, 'source'), {
    catalogues: { en: words, fr: words.map((word) => ({ ...word, wordId: word.wordId + 100 })) },
    forms: {},
    clips: [...clips, ...clips.map((clip) => ({ ...clip, videoId: `fr-${clip.videoId}`, language: 'fr' }))],
  })
  const service = await startService({ folder, corpusFolder: join(folder, 'source') })
  onTestFinished(() => service.stop())
  const key = await service.newKey()
  const get = async (path: string) => {
    const answer = await service.get(path, { key })
    expect(answer.status, answer.text).toBe(200)
    const { items, words } = answer.json as Record<string, any[]>
    return items ?? words!
  }
  const counts = async (more: string) => {
    const paths = ['/words?', '/words/worda/clips?', '/feed?', '/sentences?q=worda&']
    return await Promise.all(paths.map(async (path) => (await get(path + more)).length))
  }
  expect(await counts('')).toEqual([20, 20, 20, 20])
  expect(await counts('limit=21')).toEqual([21, 21, 21, 21])
})
