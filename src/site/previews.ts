import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FeedClip } from '#contract/clip.ts'
import type { Corpus } from '#contract/corpus.ts'
import type { FeedPage } from '#contract/feed.ts'
import { levels } from '#contract/levels.ts'
import type { OperationId } from '#contract/operations.ts'
import type { Transcript } from '#contract/transcript.ts'
import type { WordClipPage } from '#contract/word-clips.ts'
import type { Word, WordPage } from '#contract/word.ts'
import { previewAccount, type SampleService } from './sample-service.ts'

/** Clips to a preview. */
const clipsShown = 4
/** Clips of each language that a set of known words is tried on. */
const clipsTried = 40

/** A word that the site answers without a key, and the other forms under which it is said there. */
export interface PreviewWord extends Word {
  forms: string[]
}

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
  const ask = async <T>(operation: OperationId, parameters: Record<string, string>) => {
    const { target, status, body } = await service.ask(operation, parameters, previewAccount)
    if (status !== 200) throw new Error(`cannot preview ${target}: ${status} ${JSON.stringify(body)}`)
    return body as T
  }
  const write = async (path: string, value: unknown) => {
    const file = join(folder, `${path}.json`)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, JSON.stringify(value))
  }
  /** The titles of the clips in the previews. */
  const titles = new Map<string, string>()
  const keep = ({ items }: WordClipPage | FeedPage) => {
    for (const { clip } of items) titles.set(clip.clipId, clip.title)
  }

  for (const { language } of corpus.languages.filter(({ clipCount }) => clipCount > 0)) {
    const previews: PreviewWord[] = []
    for (const word of await mostCovered(language, wordCount, ask)) {
      const query = { word: String(word.wordId), language, limit: String(clipsShown) }
      const page = await ask<WordClipPage>('listWordClips', query)
      // Digits name the word that is spelled so, where there is one.
      if (page.word.wordId !== word.wordId) continue
      const said = page.items.flatMap(({ occurrences }) => occurrences.map(({ form }) => form.toLowerCase()))
      previews.push({ ...word, forms: [...new Set(said)].filter((form) => form !== word.word) })
      keep(page)
      await write(`preview/${language}/${word.wordId}`, page)
    }
    await write(`preview/${language}/words`, previews)
    for (const level of levels) {
      const page = await ask<FeedPage>('getFeed', { language, level, seed: 'preview', limit: '6' })
      keep(page)
      await write(`preview/${language}/feed-${level.toLowerCase()}`, page)
    }
    const tried = await ask<FeedPage>('getFeed', { language, seed: 'preview', limit: String(clipsTried) })
    keep(tried)
    await write(`preview/${language}/known`, await triedOn(tried, language, ask))
    // The sample player can play all of a small corpus.
    if (isSample)
      for await (const page of pagesOf<FeedPage>('getFeed', { language, seed: 'all', limit: '100' }, ask))
        keep(page)
  }
  for (const [clipId, title] of titles) {
    const transcript = await ask<Transcript>('getTranscript', { clipId })
    await write(`preview/transcripts/${clipId}`, transcript)
    const { videoId, language, durationS, cues } = transcript
    const lines = cues.map(({ tStart, tEnd, text }) => ({ tStart, tEnd, text }))
    if (isSample) await write(`sample-player/${videoId}`, { title, language, durationS, lines })
  }
}

type Ask = <T>(operation: OperationId, parameters: Record<string, string>) => Promise<T>

async function mostCovered(language: string, count: number, ask: Ask): Promise<Word[]> {
  const words: Word[] = []
  for await (const page of pagesOf<WordPage>('listWords', { language, limit: '100' }, ask)) {
    words.push(...page.words)
    if (words.length >= count) break
  }
  return words.slice(0, count)
}

/** The clips of a page, and all words said in them, the most covered first. */
async function triedOn({ items }: FeedPage, language: string, ask: Ask): Promise<KnownPreview> {
  const said = new Set<number>()
  for (const { clip } of items) {
    const { cues } = await ask<Transcript>('getTranscript', { clipId: clip.clipId })
    for (const { words } of cues) for (const { wordIds = [] } of words) for (const id of wordIds) said.add(id)
  }
  const words = await mostCovered(language, Infinity, ask)
  return { clips: items.map(({ clip }) => clip), words: words.filter(({ wordId }) => said.has(wordId)) }
}

/** The pages of a list, one after another. */
async function* pagesOf<Page extends { nextCursor: string | null }>(
  operation: OperationId,
  parameters: Record<string, string>,
  ask: Ask,
): AsyncGenerator<Page> {
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Page = await ask(operation, { ...parameters, ...(cursor && { cursor }) })
    yield page
    cursor = page.nextCursor
  }
}
