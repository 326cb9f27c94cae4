import type { FeedPage } from '#contract/feed.ts'
import type { Transcript } from '#contract/transcript.ts'
import type { WordClipPage } from '#contract/word-clips.ts'
import type { FoundWord, Word } from '#contract/word.ts'
import type { KnownPreview } from '#site/previews.ts'

/** A word that the site answers without a key, and the other forms under which it is said there. */
export interface PreviewWord extends Word {
  forms: string[]
}

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
export function previewWords(language: string): Promise<PreviewWord[]> {
  return readPreview(`${language}/words`)
}

/** The first clips with such a word. */
export function previewClips(language: string, wordId: number): Promise<WordClipPage> {
  return readPreview(`${language}/${wordId}`)
}

/** The first clips of a feed for a level. */
export function previewFeed(language: string, level: string): Promise<FeedPage> {
  return readPreview(`${language}/feed-${level.toLowerCase()}`)
}

/** A few clips of a language, and all words said in them. */
export function previewKnown(language: string): Promise<KnownPreview> {
  return readPreview(`${language}/known`)
}

/** The transcript of a clip that is in a preview. */
export function previewTranscript(clipId: string): Promise<Transcript> {
  return readPreview(`transcripts/${clipId}`)
}

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

/**
 * A few words to begin with: a well-covered one of each level, in the order of the levels given.
 */
export function chooseWords(words: readonly PreviewWord[], levels: readonly string[]): string[] {
  return levels.flatMap((level) => {
    const all = words.filter((word) => word.level === level)
    // Short words of an alphabet are mostly those of grammar; Chinese characters are not.
    const best = all.find(({ word }) => [...word].length > 3 || /\p{Script=Han}/u.test(word)) ?? all[0]
    return best ? [best.word] : []
  })
}
