import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fastGlob from 'fast-glob'
import { expect, onTestFinished, test } from 'vitest'
import type { Corpus } from '#contract/corpus.ts'
import type { FeedPage } from '#contract/feed.ts'
import type { SentencePage } from '#contract/sentences.ts'
import type { Transcript } from '#contract/transcript.ts'
import type { Word } from '#contract/word.ts'
import { seededRandom } from '#kit/seeded-random.ts'
import { segment } from '#language/segment.ts'
import { sentenceEnd } from '#language/sentence-end.ts'
import { separatorOf } from '#language/unspaced.ts'
import { faultRounds } from '../harness/fault-rounds.ts'
import { describeRealData } from '../harness/real-data.ts'
import { startService } from '../harness/service.ts'
import { tempFolder } from '../harness/temp-folder.ts'

const corpusFolder = join(import.meta.dirname, '../../src/sample-corpus')

test('a sentence search for a headword of one token finds the clips of the word, in every language', async () => {
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

test('a search finds the clip of any run of its tokens, even across cues, in every language', () =>
  findRuns(withLongSentences()))

describeRealData('real clips', (dataFolder) => {
  test('a search finds the clip of any run of its tokens, even across cues', () =>
    findRuns(join(dataFolder, 'source-corpus')))
})

/** The sample corpus, without punctuation in every second cue, so that sentences continue. */
function withLongSentences(): string {
  const folder = tempFolder()
  cpSync(corpusFolder, folder, { recursive: true })
  for (const file of fastGlob.sync('clips/**/*.json', { cwd: folder, absolute: true })) {
    const clip = JSON.parse(readFileSync(file, 'utf8')) as { cues: { text: string }[] }
    for (const [i, cue] of clip.cues.entries())
      if (i % 2 === 0) cue.text = cue.text.replaceAll(new RegExp(sentenceEnd, 'gu'), '')
    writeFileSync(file, JSON.stringify(clip))
  }
  return folder
}

async function findRuns(folder: string): Promise<void> {
  const service = await startService({ folder: tempFolder(), corpusFolder: folder, analysers: true })
  onTestFinished(() => service.stop())
  const key = await service.newKey()
  const get = async (path: string) => (await service.get(path, { key })).json
  const random = seededRandom(48)
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)]!
  const corpus = (await service.get('/corpus')).json as Corpus
  const languages = corpus.languages.filter(({ clipCount }) => clipCount > 0).map((row) => row.language)
  /** The languages with matches that span two cues. */
  const crossing = new Set<string>()
  for (const language of languages) {
    const { items } = (await get(`/feed?language=${language}&limit=100&seed=runs`)) as FeedPage
    for (let round = 0; round < Math.max(20, faultRounds(60)); round++) {
      const { clipId } = pick(items).clip
      const { cues } = (await get(`/clips/${clipId}/transcript`)) as Transcript
      const tokens = cues.flatMap(({ words }, cue) => words.map((word) => ({ ...word, cue })))
      // Every second run continues in the next cue, if a cue of the clip ends without a mark.
      const lastTokens = cues
        .slice(0, -1)
        .filter(({ text }) => !sentenceEnd.test(text))
        .map(({ words }) => tokens.findIndex(({ tStart }) => tStart === words.at(-1)?.tStart))
      const isCrossing = round % 2 === 1 && lastTokens.length > 0
      const first = isCrossing ? pick(lastTokens) : Math.floor(random() * tokens.length)
      const minLength = isCrossing ? 2 : 1
      const run = tokens.slice(first, first + minLength + Math.floor(random() * 4))
      if (run.length === 0 || sentenceEnd.test(textBetween(run[0]!, run.at(-1)!, cues))) continue
      if (run[0]!.cue < run.at(-1)!.cue) crossing.add(language)
      const q = run.map((word) => word.text).join(separatorOf(language))
      const path = `/sentences?q=${encodeURIComponent(q)}&language=${language}&match=exact&limit=100`
      const { items: matches } = (await get(path)) as SentencePage
      expect(
        matches.map(({ clip }) => clip.clipId),
        `${language}: ${q}`,
      ).toContain(clipId)
    }
  }
  expect([...crossing].sort()).toEqual(languages.sort())
}

/** A token of a transcript, with the index of its cue. */
type Token = Transcript['cues'][number]['words'][number] & { cue: number }

/** Returns the text from one token to another, which may be in a later cue. */
function textBetween(first: Token, last: Token, cues: Transcript['cues']): string {
  const letters = cues.slice(first.cue, last.cue + 1).map(({ text }) => [...text])
  letters[last.cue - first.cue]!.splice(last.end ?? 0)
  letters[0]!.splice(0, first.start ?? 0)
  return letters.map((part) => part.join('')).join(' ')
}
