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

/** The number of clips in a word's preview; those of a sample corpus are complete. */
const clipsShown = '4'
const sampleClipsShown = '100'
/** The number of clips per language with which visitors can try a set of known words. */
const clipsTried = '40'

/** A word with a preview, and the other forms under which it occurs in that preview. */
export interface PreviewWord extends Word {
  forms: string[]
}

/** The clips with which visitors can try a set of known words without a key. */
export interface KnownPreview {
  /** Each clip has its tokens that are indexed under one of `words`. */
  clips: { clip: FeedClip; occurrences: { tStart: number; wordIds: number[] }[] }[]
  words: Word[]
}

/**
 * Writes the responses that the site shows without a key. For each language, `preview/<language>/`
 * contains the words with the most clips (`words.json`), the first clips of each word
 * (`<wordId>.json`), a feed page per level (`feed-<level>.json`), and some clips with their words
 * (`known.json`). `preview/transcripts/` contains the transcripts of all these clips. The sample
 * player reads its clips from `sample-player/`.
 *
 * @param wordCount how many words of each language get a preview
 * @param isSample whether clips are embedded from the sample player of this site: all words and
 *   clips then have a preview
 * @returns the channels of the clips
 */
export async function writePreviews(
  service: SampleService,
  folder: string,
  { corpus, wordCount, isSample }: { corpus: Corpus; wordCount: number; isSample: boolean },
): Promise<Set<string>> {
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
  /** The titles of the clips in the previews, keyed by clip id. */
  const titles = new Map<string, string>()
  const channelIds = new Set<string>()
  const keep = ({ items }: WordClipPage | FeedPage) => {
    for (const { clip } of items) {
      titles.set(clip.clipId, clip.title)
      channelIds.add(clip.channel.id)
    }
  }

  for (const { language } of corpus.languages.filter(({ clipCount }) => clipCount > 0)) {
    const pages = await allPages<WordPage>(ask, 'listWords', { language })
    const words = pages.flatMap((page) => page.words)
    const previews: PreviewWord[] = []
    for (const word of words.slice(0, isSample ? Infinity : wordCount)) {
      const limit = isSample ? sampleClipsShown : clipsShown
      const query = { word: String(word.wordId), language, limit }
      const page = await ask<WordClipPage>('listWordClips', query)
      // A number in the path can be the spelling of another word instead of an id.
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
    // The sample player can play every clip of a sample corpus.
    if (isSample) (await allPages<FeedPage>(ask, 'getFeed', { language, seed: 'all' })).forEach(keep)
  }
  for (const [clipId, title] of titles) {
    const transcript = await ask<Transcript>('getTranscript', { clipId })
    await write(`preview/transcripts/${clipId}`, transcript)
    const { videoId, language, durationS, cues } = transcript
    const lines = cues.map(({ tStart, tEnd, text }) => ({ tStart, tEnd, text }))
    if (isSample) await write(`sample-player/${videoId}`, { title, language, durationS, lines })
  }
  return channelIds
}

type Ask = <T>(operation: OperationId, parameters: Record<string, string>) => Promise<T>

/** Returns the clips of a page with the catalogue words that occur in them. */
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

/** Returns all pages of a list, with the largest `limit`. */
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
