import type { FeedPage } from '#contract/feed.ts'
import type { Transcript } from '#contract/transcript.ts'
import type { WordClipPage } from '#contract/word-clips.ts'
import type { FoundWord } from '#contract/word.ts'
import type { KnownPreview, PreviewWord } from '#site/build/previews.ts'

const previewByPath = new Map<string, Promise<unknown>>()

/** Reads a preview file once it can be read. @throws {Error} there is none */
async function readPreview<T>(path: string): Promise<T> {
  const preview = previewByPath.get(path) ?? fetchPreview(path)
  previewByPath.set(path, preview)
  preview.catch(() => previewByPath.delete(path))
  return (await preview) as T
}

async function fetchPreview(path: string): Promise<unknown> {
  const response = await fetch(`/preview/${path}.json`)
  if (!response.ok) throw new Error(`There is no preview for ${path}.`)
  return await response.json()
}

/** Reads the words of a language that have a preview, those with the most clips first. */
export const previewWords = (language: string) => readPreview<PreviewWord[]>(`${language}/words`)

/** Reads the first clips with a word that has a preview. */
export const previewClips = (language: string, wordId: number | string) =>
  readPreview<WordClipPage>(`${language}/${wordId}`)

/** Reads the first page of a feed for a level. */
export const previewFeed = (language: string, level: string) =>
  readPreview<FeedPage>(`${language}/feed-${level.toLowerCase()}`)

/** Reads some clips of a language, and all words said in them. */
export const previewKnown = (language: string) => readPreview<KnownPreview>(`${language}/known`)

/** Reads the transcript of a clip in a preview. */
export const previewTranscript = (clipId: string) => readPreview<Transcript>(`transcripts/${clipId}`)

/** Returns the word with this spelling or spoken form. */
export function findWord(words: readonly PreviewWord[], text: string): PreviewWord | undefined {
  const lowerText = text.toLowerCase()
  return (
    words.find(({ word }) => word.toLowerCase() === lowerText) ??
    words.find(({ forms }) => forms.includes(lowerText))
  )
}

/** Returns the words that begin with a text, then the words with a form that begins with it. */
export function matchingWords(words: readonly PreviewWord[], text: string): FoundWord[] {
  const lowerText = text.toLowerCase()
  const headwordMatches = words.filter(({ word }) => word.toLowerCase().startsWith(lowerText))
  const formMatches = words.flatMap((word) => {
    const matchedForm = word.forms.find((form) => form.startsWith(lowerText))
    return matchedForm === undefined || headwordMatches.includes(word) ? [] : [{ ...word, matchedForm }]
  })
  return [...headwordMatches, ...formMatches]
}
