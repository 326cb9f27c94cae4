import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FeedClip } from '#contract/clip.ts'
import type { Corpus } from '#contract/corpus.ts'
import type { FeedPage } from '#contract/feed.ts'
import { levels } from '#contract/levels.ts'
import type { OperationId } from '#contract/operations.ts'
import type { Cue, Transcript } from '#contract/transcript.ts'
import type { WordClipPage } from '#contract/word-clips.ts'
import type { Word, WordDetail, WordPage } from '#contract/word.ts'
import { romajiOf } from '#language/spellings/japanese.ts'
import type { PlayableClip } from '../sample-clip.ts'
import { sampleAudioPath } from './sample-audio.ts'
import { previewAccount, type SampleService } from './sample-service.ts'
import { kanaOf } from './speech-text.ts'

/** The number of clips in the previews of a word and of a feed. */
const clipsShown = { word: '4', feed: '10' }
/** The same for a sample corpus, which has fewer clips in each language. */
const sampleClipsShown = { word: '100', feed: '100' }
/** The number of clips per language that visitors can search without a key. */
const clipsSearched = '40'

/** A word with a preview, and its other spellings. */
export interface PreviewWord extends Word {
  forms: string[]
}

/** Clips of a language with their transcripts, and the catalogue words that occur in them. */
export interface ClipsPreview {
  clips: { clip: FeedClip; cues: Cue[] }[]
  words: Word[]
}

/**
 * Writes the responses that the site shows without a key. For each language, `preview/<language>/`
 * contains the words with the most clips (`words.json`), the first clips of each word
 * (`<wordId>.json`), a feed page per level (`feed-<level>.json`), and some clips with their
 * transcripts and words (`clips.json`). `preview/transcripts/` contains the transcripts of all
 * these clips. The sample player reads its clips from `sample-player/`.
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
  /** The clips in the previews and their transcripts, keyed by clip id. */
  const clips = new Map<string, { clip: FeedClip; transcript: Transcript }>()
  const keep = async ({ items }: WordClipPage | FeedPage) => {
    for (const { clip } of items) {
      const { clipId } = clip
      if (!clips.has(clipId))
        clips.set(clipId, { clip, transcript: await ask<Transcript>('getTranscript', { clipId }) })
    }
  }

  const limits = isSample ? sampleClipsShown : clipsShown
  for (const { language } of corpus.languages.filter(({ clipCount }) => clipCount > 0)) {
    for (const level of levels) {
      const page = await ask<FeedPage>('getFeed', { language, level, seed: 'preview', limit: limits.feed })
      await keep(page)
      await write(`preview/${language}/feed-${level.toLowerCase()}`, page)
    }
    const feed = { language, seed: 'preview' }
    const feedPages = isSample
      ? await allPages<FeedPage>(ask, 'getFeed', feed)
      : [await ask<FeedPage>('getFeed', { ...feed, limit: clipsSearched })]
    for (const page of feedPages) await keep(page)
    const wordPages = await allPages<WordPage>(ask, 'listWords', { language })
    const words = wordPages.flatMap((page) => page.words)
    const searchedClips = feedPages
      .flatMap(({ items }) => items)
      .map(({ clip }) => ({ clip, cues: clips.get(clip.clipId)!.transcript.cues }))
    await write(`preview/${language}/clips`, previewClips(searchedClips, words))

    const previews: PreviewWord[] = []
    for (const word of words.slice(0, isSample ? Infinity : wordCount)) {
      const query = { word: String(word.wordId), language }
      const page = await ask<WordClipPage>('listWordClips', { ...query, limit: limits.word })
      // A number in the path can be the spelling of another word instead of an id.
      if (page.word.wordId !== word.wordId) continue
      await keep(page)
      await write(`preview/${language}/${word.wordId}`, page)
      const { forms } = await ask<WordDetail>('getWord', query)
      previews.push({ ...word, forms })
    }
    const transcripts = [...clips.values()].map(({ transcript }) => transcript)
    const readings = readingsIn(transcripts.filter((transcript) => transcript.language === language))
    const withReadings = previews.map((word) => {
      const spellings = [word.word, ...word.forms]
      const forms = new Set([...spellings, ...spellings.flatMap((each) => [...(readings.get(each) ?? [])])])
      forms.delete(word.word)
      return { ...word, forms: [...forms] }
    })
    await write(`preview/${language}/words`, withReadings)
  }
  for (const [clipId, { clip, transcript }] of clips) {
    await write(`preview/transcripts/${clipId}`, transcript)
    if (isSample) await write(`sample-player/${transcript.videoId}`, playableClip(clip, transcript))
  }
  return new Set([...clips.values()].map(({ clip }) => clip.channel.id))
}

function playableClip(
  { title, channel }: FeedClip,
  { videoId, language, durationS, cues }: Transcript,
): PlayableClip {
  const lines = cues.map(({ tStart, tEnd, text, words }) => {
    const line = { tStart, tEnd, text }
    return language === 'ja' ? { ...line, speech: kanaOf({ text, words }) } : line
  })
  const clip = { title, language, durationS, channelId: channel.id, lines }
  return { ...clip, audioPath: sampleAudioPath(videoId, clip) }
}

type Ask = <T>(operation: OperationId, parameters: Record<string, string>) => Promise<T>

/** Adds the catalogue words that occur in clips. */
function previewClips(clips: ClipsPreview['clips'], catalogue: readonly Word[]): ClipsPreview {
  const tokens = clips.flatMap(({ cues }) => cues).flatMap(({ words }) => words)
  const wordIds = new Set(tokens.flatMap((token) => token.wordIds ?? []))
  return { clips, words: catalogue.filter(({ wordId }) => wordIds.has(wordId)) }
}

/** Returns how tokens are read, in kana or pinyin and in Latin letters, keyed by their text. */
function readingsIn(transcripts: readonly Transcript[]): Map<string, Set<string>> {
  const readings = new Map<string, Set<string>>()
  for (const { cues } of transcripts)
    for (const { text, reading } of cues.flatMap(({ words }) => words)) {
      if (reading === undefined) continue
      const spellings = readings.getOrInsertComputed(text, () => new Set())
      for (const spelling of [reading, ...romajiOf(reading)]) spellings.add(spelling)
    }
  return readings
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
