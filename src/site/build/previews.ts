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
const clipsShown = '4'
/** Clips of each language that a set of known words is tried on. */
const clipsTried = '40'

/** A word that the site answers without a key, and the other forms under which it is said there. */
export interface PreviewWord extends Word {
  forms: string[]
}

/** What a set of known words is tried on without a key. */
export interface KnownPreview {
  /** Each with the tokens that are said in it, as far as they are indexed under `words`. */
  clips: { clip: FeedClip; occurrences: { tStart: number; wordIds: number[] }[] }[]
  words: Word[]
}

/**
 * Writes the answers that the site gives without a key, below `preview/`: for each language
 * `words.json`, the most covered words, `<wordId>.json`, the first clips of each,
 * `feed-<level>.json`, and `known.json`, a few clips and all words said in them; and
 * `transcripts/<clipId>.json` of every clip in them. With sample clips, also what their player
 * reads, below `sample-player/`.
 *
 * @param wordCount words of each language
 * @param isSample whether clips are embedded from the sample player of this site
 */
export async function writePreviews(
  service: SampleService,
  folder: string,
  { corpus, wordCount, isSample }: { corpus: Corpus; wordCount: number; isSample: boolean },
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
    const pages = await allPages<WordPage>(ask, 'listWords', { language })
    const words = pages.flatMap((page) => page.words)
    const previews: PreviewWord[] = []
    for (const word of words.slice(0, wordCount)) {
      const query = { word: String(word.wordId), language, limit: clipsShown }
      const page = await ask<WordClipPage>('listWordClips', query)
      // Digits name the word that is spelled so, where there is one.
      if (page.word.wordId !== word.wordId) continue
      const spokenForms = page.items.flatMap(({ occurrences }) =>
        occurrences.map(({ form }) => form.toLowerCase()),
      )
      previews.push({ ...word, forms: [...new Set(spokenForms)].filter((form) => form !== word.word) })
      keep(page)
      await write(`preview/${language}/${word.wordId}`, page)
    }
    await write(`preview/${language}/words`, previews)
    for (const level of levels) {
      const page = await ask<FeedPage>('getFeed', { language, level, seed: 'preview', limit: '6' })
      keep(page)
      await write(`preview/${language}/feed-${level.toLowerCase()}`, page)
    }
    const knownPage = await ask<FeedPage>('getFeed', { language, seed: 'preview', limit: clipsTried })
    keep(knownPage)
    await write(`preview/${language}/known`, await previewKnownWords(knownPage, words, ask))
    // The sample player can play all of a small corpus.
    if (isSample) (await allPages<FeedPage>(ask, 'getFeed', { language, seed: 'all' })).forEach(keep)
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

/** What is said in the clips of a page, by the words of the catalogue. */
async function previewKnownWords(
  { items }: FeedPage,
  catalogue: readonly Word[],
  ask: Ask,
): Promise<KnownPreview> {
  const catalogueIds = new Set(catalogue.map(({ wordId }) => wordId))
  const clips = await Array.fromAsync(items, async ({ clip }) => {
    const { cues } = await ask<Transcript>('getTranscript', { clipId: clip.clipId })
    const tokens = cues.flatMap(({ words }) => words)
    const spokenForms = tokens.map(({ tStart, wordIds = [] }) => ({
      tStart,
      wordIds: wordIds.filter((id) => catalogueIds.has(id)),
    }))
    return { clip, occurrences: spokenForms.filter(({ wordIds }) => wordIds.length > 0) }
  })
  const spokenForms = new Set(clips.flatMap((each) => each.occurrences.flatMap(({ wordIds }) => wordIds)))
  return { clips, words: catalogue.filter(({ wordId }) => spokenForms.has(wordId)) }
}

/** The pages of a list, with as many items as a page may have. */
async function allPages<Page extends { nextCursor: string | null }>(
  ask: Ask,
  operation: OperationId,
  parameters: Record<string, string>,
): Promise<Page[]> {
  const pages: Page[] = []
  for (let cursor: string | null = ''; cursor !== null; cursor = pages.at(-1)!.nextCursor)
    pages.push(await ask(operation, { ...parameters, limit: '100', ...(cursor && { cursor }) }))
  return pages
}
