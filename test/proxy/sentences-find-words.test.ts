import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Word, WordPage } from '#contract/word.ts'
import { segment } from '#language/segment.ts'
import { realClips } from '../importing/real-clips.ts'
import { faultRounds } from '../harness/fault-rounds.ts'
import { startService } from '../harness/service.ts'
import { tempFolder } from '../harness/temp-folder.ts'

const data = process.env.CLIP_LOOKUP_TEST_DATA
const wordsALanguage = faultRounds(150)
const realClipsALanguage = Math.max(100, faultRounds(400))

test('a search in what is said for a headword finds the clips of the word, in every language', async () => {
  const corpusFolder = join(import.meta.dirname, '../../src/sample-corpus')
  for (const { language, words, share } of await compare(corpusFolder)) {
    expect(words, language).toBeGreaterThan(10)
    expect(share, language).toBe(1)
  }
})

test.skipIf(!data)(
  `so it does in real subtitles${data ? '' : ' (skipped: CLIP_LOOKUP_TEST_DATA names no test data)'}`,
  async () => {
    const corpusFolder = tempFolder()
    cpSync(join(data!, 'source-corpus', 'catalogue'), join(corpusFolder, 'catalogue'), { recursive: true })
    mkdirSync(join(corpusFolder, 'clips'))
    for (const language of ['en', 'es', 'ja', 'pt', 'ru', 'tr', 'zh']) {
      const lines = realClips(data!, language, realClipsALanguage).map((clip) => `${JSON.stringify(clip)}\n`)
      writeFileSync(join(corpusFolder, 'clips', `${language}.jsonl`), lines.join(''))
    }
    const compared = await compare(corpusFolder)
    console.table(compared)
    expect(compared).toHaveLength(7)
    for (const { language, words, share } of compared) {
      // The Turkish subtitles say fewer of the headwords.
      expect(words, language).toBeGreaterThan(wordsALanguage / 2)
      expect(share, language).toBeGreaterThanOrEqual(0.999)
    }
  },
)

/**
 * A language: how many of the clips of its words a search finds, and of those it finds are others.
 */
interface Compared {
  language: string
  words: number
  share: number
  others: number
}

/** Compares the most covered headwords of one token in each language of a corpus. */
async function compare(corpusFolder: string): Promise<Compared[]> {
  const service = await startService({ folder: tempFolder(), corpusFolder, analysers: true })
  try {
    const key = await service.newKey()
    const get = async (path: string) => (await service.get(path, { key })).json
    const { languages } = (await service.get('/corpus')).json as { languages: { language: string }[] }
    const compared: Compared[] = []
    for (const { language } of languages) {
      const words = await mostCovered(get, language)
      const shares: number[] = []
      let [foundInAll, others] = [0, 0]
      for (const { word } of words) {
        const query = `language=${language}&limit=100`
        const said = await clipIds(get, `/words/${encodeURIComponent(word)}/clips?${query}`)
        const found = await clipIds(get, `/sentences?q=${encodeURIComponent(word)}&${query}`)
        shares.push(said.intersection(found).size / said.size)
        foundInAll += found.size
        others += found.difference(said).size
      }
      const share = shares.reduce((a, b) => a + b, 0) / shares.length
      compared.push({ language, words: words.length, share, others: others / foundInAll })
    }
    return compared
  } finally {
    await service.stop()
  }
}

type Get = (path: string) => Promise<any>

async function mostCovered(get: Get, language: string): Promise<Word[]> {
  const words: Word[] = []
  let cursor: string | null = ''
  while (cursor !== null && words.length < wordsALanguage) {
    const path = `/words?language=${language}&limit=100${cursor && `&cursor=${cursor}`}`
    const page = (await get(path)) as WordPage
    words.push(...page.words.filter(({ word }) => segment(word, language).length === 1))
    cursor = page.nextCursor
  }
  return words.slice(0, wordsALanguage)
}

async function clipIds(get: Get, path: string): Promise<Set<string>> {
  const ids = new Set<string>()
  let cursor: string | null = ''
  while (cursor !== null) {
    const page = await get(`${path}${cursor && `&cursor=${cursor}`}`)
    for (const { clip } of page.items) ids.add(clip.clipId)
    cursor = page.nextCursor
  }
  return ids
}
