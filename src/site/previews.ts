import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FeedClip } from '#contract/clip.ts'
import type { Corpus } from '#contract/corpus.ts'
import type { FeedPage } from '#contract/feed.ts'
import { levels } from '#contract/levels.ts'
import { basePath } from '#contract/operations.ts'
import type { Transcript } from '#contract/transcript.ts'
import type { WordClipPage } from '#contract/word-clips.ts'
import type { Word, WordPage } from '#contract/word.ts'
import { previewAccount, type SampleService } from './sample-service.ts'
import { targetOf } from './target-of.ts'

/** Clips to a preview. */
const clipsShown = 4
/** Clips of each language that a set of known words is tried on. */
const clipsTried = 40
/** Requests at a time. */
const atATime = 8

/** What a set of known words is tried on without a key. */
export interface KnownPreview {
  clips: FeedClip[]
  words: Word[]
}

export interface PreviewOptions {
  corpus: Corpus
  /** Words of each language. */
  wordCount: number
  /** Where clips are embedded from, when that is the sample player of this site. */
  isSample: boolean
}

/**
 * Writes the answers that the site gives without a key, below `preview/`: for each language
 * `words.json`, the most covered words, `<wordId>.json`, the first clips of each,
 * `feed-<level>.json`, and `known.json`, a few clips and all words said in them; and
 * `transcripts/<clipId>.json` of every clip in them. With sample clips, also what their player
 * reads, below `sample-player/`.
 */
export async function writePreviews(
  service: SampleService,
  folder: string,
  { corpus, wordCount, isSample }: PreviewOptions,
): Promise<void> {
  const ask = async <T>(path: string, parameters: Record<string, string> = {}) => {
    const target = targetOf(basePath + path, parameters)
    const { status, body } = await service.get(target, previewAccount)
    if (status !== 200) throw new Error(`cannot preview ${target}: ${status} ${JSON.stringify(body)}`)
    return body as T
  }
  const write = (path: string, value: unknown) => writeJson(join(folder, path), value)
  const clips = new Map<string, { title: string }>()
  const keep = ({ items }: WordClipPage | FeedPage) => {
    for (const { clip } of items) clips.set(clip.clipId, clip)
  }

  for (const { language } of corpus.languages.filter(({ clipCount }) => clipCount > 0)) {
    const words = await mostCovered(language, wordCount, ask)
    const previews: (Word & { forms: string[] })[] = []
    await eachOf(words, async (word, row) => {
      const query = { language, limit: String(clipsShown) }
      const page = await ask<WordClipPage>(`/words/${word.wordId}/clips`, query)
      // Digits name the word that is spelled so, where there is one.
      if (page.word.wordId !== word.wordId) return
      const said = page.items.flatMap(({ occurrences }) => occurrences.map(({ form }) => form.toLowerCase()))
      previews[row] = { ...word, forms: [...new Set(said)].filter((form) => form !== word.word) }
      keep(page)
      await write(`preview/${language}/${word.wordId}.json`, page)
    })
    await write(`preview/${language}/words.json`, previews.flat())
    for (const level of levels) {
      const query = { language, level, seed: 'preview', limit: '6' }
      const page = await ask<FeedPage>('/feed', query)
      keep(page)
      await write(`preview/${language}/feed-${level.toLowerCase()}.json`, page)
    }
    const tried = await ask<FeedPage>('/feed', { language, seed: 'preview', limit: String(clipsTried) })
    keep(tried)
    await write(`preview/${language}/known.json`, await triedOn(tried, language, ask))
    // The sample player can play all of a small corpus.
    if (isSample)
      for await (const page of pagesOf<FeedPage>('/feed', { language, seed: 'all', limit: '100' }, ask))
        keep(page)
  }
  await eachOf([...clips], async ([clipId, { title }]) => {
    const transcript = await ask<Transcript>(`/clips/${clipId}/transcript`)
    await write(`preview/transcripts/${clipId}.json`, transcript)
    const { videoId, language, durationS, cues } = transcript
    const lines = cues.map(({ tStart, tEnd, text }) => ({ tStart, tEnd, text }))
    if (isSample) await write(`sample-player/${videoId}.json`, { title, language, durationS, lines })
  })
}

type AskFor = <T>(path: string, parameters?: Record<string, string>) => Promise<T>

async function mostCovered(language: string, count: number, ask: AskFor): Promise<Word[]> {
  const words: Word[] = []
  for await (const page of pagesOf<WordPage>('/words', { language, limit: '100' }, ask)) {
    words.push(...page.words)
    if (words.length >= count) break
  }
  return words.slice(0, count)
}

/** The clips of a page, and all words said in them, the most covered first. */
async function triedOn({ items }: FeedPage, language: string, ask: AskFor): Promise<KnownPreview> {
  const said = new Set<number>()
  await eachOf(items, async ({ clip }) => {
    const { cues } = await ask<Transcript>(`/clips/${clip.clipId}/transcript`)
    for (const { words } of cues) for (const { wordIds = [] } of words) for (const id of wordIds) said.add(id)
  })
  const words = await mostCovered(language, Infinity, ask)
  return { clips: items.map(({ clip }) => clip), words: words.filter(({ wordId }) => said.has(wordId)) }
}

/** The pages of a list, one after another. */
async function* pagesOf<Page extends { nextCursor: string | null }>(
  path: string,
  parameters: Record<string, string>,
  ask: AskFor,
): AsyncGenerator<Page> {
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Page = await ask(path, { ...parameters, ...(cursor && { cursor }) })
    yield page
    cursor = page.nextCursor
  }
}

/** Does the work on all items, some at a time. */
async function eachOf<T>(items: readonly T[], work: (item: T, row: number) => Promise<void>): Promise<void> {
  const queue = items.entries()
  const takeAll = async () => {
    for (const [row, item] of queue) await work(item, row)
  }
  await Promise.all(Array.from({ length: atATime }, takeAll))
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, JSON.stringify(value))
}
