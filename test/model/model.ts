/**
 * The answers of every operation, computed in a slow and obvious way: property tests compare the
 * service with it. It shares no code with the service, only the types of records; every rule is
 * written out from the contract.
 */
import type { Coverage } from '#contract/corpus.ts'
import type { FeedItem } from '#contract/feed.ts'
import type { SentenceClip } from '#contract/sentences.ts'
import type { Transcript } from '#contract/transcript.ts'
import type { FoundWord, Word, WordDetail } from '#contract/word.ts'
import { clipBatch, clipNamed, clipRecord, transcriptRecord, type ClipRecord } from './clips.ts'
import { corpusRecord } from './coverage.ts'
import { feedItem, isLeftOut } from './feed.ts'
import { indexed } from './indexed.ts'
import type { Known } from './known.ts'
import type { Gloss, Level, SourceCorpus } from './source.ts'
import { sentences, type SentencesQuery } from './sentences.ts'
import {
  entryNamed,
  wordClips,
  wordsBySpelling,
  type WordClipItem,
  type WordClipsQuery,
} from './word-clips.ts'
import { matchingWords, wordDetail, wordsById, type WordsQuery } from './words.ts'

export type Model = {
  /** The clips that a walk through the feed must cover, in any order. */
  clipIds(language: string): string[]
  /** The clip record without `indexedAt`; by UUID in any case, or by video id. Null is 404. */
  clip(id: string): ClipRecord | null
  /** The clip records of several ids, without `indexedAt`. */
  clipBatch(ids: string[]): ReturnType<typeof clipBatch>
  transcript(id: string): Transcript | null
  /** Returns the feed item of a clip in the corpus. @throws {RangeError} for any other clip */
  feedItem(
    clipId: string,
    options: { level?: Level; gloss: Gloss; known?: Known; context?: boolean },
  ): FeedItem
  /** Returns the clips that the filters of `GET /feed` exclude. */
  leftOut(filter: Parameters<typeof isLeftOut>[1], known?: Known): string[]
  /** The word that a path names. Null is 404. */
  word(word: string, options: { language: string; gloss: Gloss }): WordDetail | null
  wordsById(ids: number[], gloss: Gloss): Word[]
  wordsBySpelling(spellings: string[], options: { language: string; gloss: Gloss }): FoundWord[]
  /** All words that match, in order. */
  words(query: WordsQuery): FoundWord[]
  /** The word that a path names and all its clips, in order. Null is 404. */
  wordClips(word: string, query: WordClipsQuery): { word: Word; items: WordClipItem[] } | null
  /** Returns all clips that contain the query, in order. */
  sentences(query: SentencesQuery): SentenceClip[]
  /** Without `release` and `builtAt`. */
  corpus(): Coverage
}

/** Returns the model of a corpus of which every clip is valid, and none a duplicate. */
export function modelOf(corpus: SourceCorpus): Model {
  const index = indexed(corpus)
  return {
    clipIds: (language) =>
      index.clips.filter((clip) => clip.source.language === language).map((clip) => clip.clipId),
    clip(id) {
      const clip = clipNamed(id, index)
      return clip === null ? null : clipRecord(clip, index)
    },
    clipBatch: (ids) => clipBatch(ids, index),
    transcript(id) {
      const clip = clipNamed(id, index)
      return clip === null ? null : transcriptRecord(clip)
    },
    feedItem(clipId, options) {
      const clip = clipNamed(clipId, index)
      if (clip === null)
        throw new RangeError(`finding the clip "${clipId}": wanted a clip of the corpus, found none`)
      return feedItem(clip, options, index)
    },
    leftOut: (filter, known) =>
      index.clips.filter((clip) => isLeftOut(clip, filter, known, index)).map(({ clipId }) => clipId),
    word(word, { language, gloss }) {
      const entry = entryNamed(word, language, index)
      return entry === null ? null : wordDetail(entry, gloss, index)
    },
    wordsById: (ids, gloss) => wordsById(ids, gloss, index),
    wordsBySpelling: (spellings, options) => wordsBySpelling(spellings, options, index),
    words: (query) => matchingWords(query, index),
    wordClips: (word, query) => wordClips(word, query, index),
    sentences: (query) => sentences(query, index),
    corpus: () => corpusRecord(index),
  }
}
