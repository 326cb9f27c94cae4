import type { FeedPage } from '#contract/feed.ts'
import type { Transcript } from '#contract/transcript.ts'
import type { WordClipPage } from '#contract/word-clips.ts'
import type { FoundWord } from '#contract/word.ts'
import { spellingFold } from '#language/folds.ts'
import { caseKey } from '#language/lower-case.ts'
import type { ClipsPreview, PreviewWord } from '#site/build/previews.ts'

const previewByPath = new Map<string, Promise<unknown>>()

/** Reads a preview file. @throws {Error} there is none */
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
export const previewWordClips = (language: string, wordId: number | string) =>
  readPreview<WordClipPage>(`${language}/${wordId}`)

/** Reads the first page of a feed for a level. */
export const previewFeed = (language: string, level: string) =>
  readPreview<FeedPage>(`${language}/feed-${level.toLowerCase()}`)

/** Reads the clips of a language that can be searched without a key, and all words said in them. */
export const previewClips = (language: string) => readPreview<ClipsPreview>(`${language}/clips`)

/** Reads the transcript of a clip in a preview. */
export const previewTranscript = (clipId: string) => readPreview<Transcript>(`transcripts/${clipId}`)

/**
 * Returns the word that a text spells: a headword before another spelling, an exact spelling before
 * one that differs in diacritics or in the kind of kana.
 */
export function findWord<T extends PreviewWord>(
  words: readonly T[],
  text: string,
  language: string,
): T | undefined {
  for (const fold of [caseKey, spellingFold]) {
    const key = fold(text, language)
    const isKey = (spelling: string) => fold(spelling, language) === key
    const match = words.find(({ word }) => isKey(word)) ?? words.find(({ forms }) => forms.some(isKey))
    if (match) return match
  }
  return undefined
}

/** Returns the words that begin with a text, then the words with a form that begins with it. */
export function matchingWords(words: readonly PreviewWord[], text: string, language: string): FoundWord[] {
  const key = spellingFold(text, language)
  const isMatch = (spelling: string) => spellingFold(spelling, language).startsWith(key)
  const headwordMatches = words.filter(({ word }) => isMatch(word))
  const formMatches = words.flatMap((word) => {
    const matchedForm = word.forms.find(isMatch)
    return matchedForm === undefined || headwordMatches.includes(word) ? [] : [{ ...word, matchedForm }]
  })
  return [...headwordMatches, ...formMatches]
}
