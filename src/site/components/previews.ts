import type { FeedPage } from '#contract/feed.ts'
import type { Transcript } from '#contract/transcript.ts'
import type { WordClipPage } from '#contract/word-clips.ts'
import type { FoundWord } from '#contract/word.ts'
import type { KnownPreview, PreviewWord } from '#site/build/previews.ts'

const read = new Map<string, Promise<unknown>>()

/** Reads a file of the previews, once. @throws {Error} there is none */
async function readPreview<T>(path: string): Promise<T> {
  if (!read.has(path)) read.set(path, fetchPreview(path))
  return (await read.get(path)) as T
}

async function fetchPreview(path: string): Promise<unknown> {
  const response = await fetch(`/preview/${path}.json`)
  if (!response.ok) throw new Error(`There is no preview for ${path}.`)
  return await response.json()
}

/** The words of a language that have a preview, the most covered first. */
export const previewWords = (language: string) => readPreview<PreviewWord[]>(`${language}/words`)

/** The first clips with such a word. */
export const previewClips = (language: string, wordId: number | string) =>
  readPreview<WordClipPage>(`${language}/${wordId}`)

/** The first clips of a feed for a level. */
export const previewFeed = (language: string, level: string) =>
  readPreview<FeedPage>(`${language}/feed-${level.toLowerCase()}`)

/** A few clips of a language, and all words said in them. */
export const previewKnown = (language: string) => readPreview<KnownPreview>(`${language}/known`)

/** The transcript of a clip that is in a preview. */
export const previewTranscript = (clipId: string) => readPreview<Transcript>(`transcripts/${clipId}`)

/** The word that is spelled so, or said so. */
export function findWord(words: readonly PreviewWord[], text: string): PreviewWord | undefined {
  const sought = text.toLowerCase()
  return (
    words.find(({ word }) => word.toLowerCase() === sought) ??
    words.find(({ forms }) => forms.includes(sought))
  )
}

/** The words that begin with a text, then those that are said in a form that does. */
export function matchingWords(words: readonly PreviewWord[], text: string): FoundWord[] {
  const sought = text.toLowerCase()
  const begins = words.filter(({ word }) => word.toLowerCase().startsWith(sought))
  const said = words.flatMap((word) => {
    const matchedForm = word.forms.find((form) => form.startsWith(sought))
    return matchedForm === undefined || begins.includes(word) ? [] : [{ ...word, matchedForm }]
  })
  return [...begins, ...said]
}
