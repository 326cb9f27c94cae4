import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Corpus } from '#contract/corpus.ts'
import type { Word } from '#contract/word.ts'
import { segment } from '#language/segment.ts'
import { faultRounds } from '../harness/fault-rounds.ts'
import { startService } from '../harness/service.ts'
import { tempFolder } from '../harness/temp-folder.ts'

const corpusFolder = join(import.meta.dirname, '../../src/sample-corpus')

test('a search in what is said for a headword of one token finds the clips of the word, in every language', async () => {
  const service = await startService({ folder: tempFolder(), corpusFolder, analysers: true })
  onTestFinished(() => service.stop())
  const key = await service.newKey()
  const get = async (path: string) => (await service.get(`${path}limit=100`, { key })).json
  const clipIds = async (path: string): Promise<Set<string>> => {
    const { items, nextCursor } = await get(path)
    expect(nextCursor).toBeNull()
    return new Set(items.map(({ clip }: { clip: { clipId: string } }) => clip.clipId))
  }
  const corpus = (await service.get('/corpus')).json as Corpus
  for (const { language } of corpus.languages) {
    const { words } = (await get(`/words?language=${language}&`)) as { words: Word[] }
    const ofOneToken = words.filter(({ word }) => segment(word, language).length === 1)
    expect(ofOneToken.length, language).toBeGreaterThan(10)
    for (const { word } of ofOneToken.slice(0, faultRounds(150))) {
      const said = await clipIds(`/words/${encodeURIComponent(word)}/clips?language=${language}&`)
      const found = await clipIds(`/sentences?q=${encodeURIComponent(word)}&language=${language}&`)
      expect([...said.difference(found)], word).toEqual([])
    }
  }
})
