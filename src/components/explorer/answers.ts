import type { FeedClip } from '#contract/clip.ts'
import type { FeedItem, FeedPage } from '#contract/feed.ts'
import type { WordClipPage } from '#contract/word-clips.ts'
import type { Word, WordPage } from '#contract/word.ts'
import type { Part } from '../cards/player.ts'
import { fitPreview } from '../known-set.ts'
import { previewClips, previewFeed, previewWords } from '../previews.ts'
import { ask, sessionKey, unlessError } from '../service.ts'
import { completeWord } from '../suggest.ts'
import {
  clipsRequest,
  feedRequest,
  knownRequest,
  levelOfFeed,
  maxUnknown,
  minKnownShare,
  wordsRequest,
  type Request,
  type View,
} from './view.ts'

/**
 * What the explorer shows of a view: from the previews, or from the service with the key of this
 * tab.
 */

/** A clip in a list, and the part of it to play. */
export interface ListedClip extends Part {
  clip: FeedClip
  detail: string
}

async function live<T extends object>([path, parameters]: Request): Promise<T> {
  return unlessError(await ask<T>(path, parameters))
}

/** The words of a view, and what is said of them. */
export async function readWords(view: View, isLive: boolean): Promise<{ words: Word[]; note: string }> {
  const q = view.q.trim().toLowerCase()
  if (isLive) {
    const all = wordsRequest({ ...view, q: '' })
    return { words: q === '' ? (await live<WordPage>(all)).words : await completeWord(q, all[1]), note: '' }
  }
  const words = await previewWords(view.language)
  const found = words.filter(
    ({ word, level }) => (view.level === '' || level === view.level) && word.toLowerCase().startsWith(q),
  )
  const share = found.length === words.length ? 'The' : `${found.length} of the`
  const more = sessionKey() === '' ? '. With a key, you can see every word and every clip.' : ''
  const note = `${share} ${words.length} most frequent words, with a few clips for each word${more}`
  return { words: found, note }
}

/** The clips with the word of a view. */
export async function readClips(view: View, isLive: boolean): Promise<ListedClip[]> {
  const { items, word } = isLive
    ? await live<WordClipPage>(clipsRequest(view))
    : await previewClips(view.language, view.word)
  return items.map(({ clip, occurrences: [first] }) => ({
    clip,
    detail: first?.text ?? '',
    startS: first?.tStart,
    wordId: word.wordId,
  }))
}

export async function readFeed(view: View, isLive: boolean): Promise<ListedClip[]> {
  const { items } = isLive
    ? await live<FeedPage>(feedRequest(view))
    : await previewFeed(view.language, levelOfFeed(view))
  return items.map((item) => {
    const { focusWord } = item
    const detail = focusWord
      ? `${focusWord.word} (${focusWord.level}): ${focusWord.meaning}`
      : 'No focus word'
    return feedClip(item, detail)
  })
}

/** The clips that somebody can follow who knows the level and the ticked words. */
export async function readFollowed(view: View, isLive: boolean): Promise<ListedClip[]> {
  const known = (share: number) => `${Math.round(100 * share)}% known`
  const request = knownRequest(view)
  if (isLive && request) {
    const { items } = await live<FeedPage>(request)
    return items.map((item) => {
      const { focusWord, knownShare = 1, unknownCount } = item
      return feedClip(
        item,
        `${known(knownShare)}, ${unknownCount} new${focusWord ? `: ${focusWord.word}` : ''}`,
      )
    })
  }
  return (await fitPreview(view.language, view.level))
    .filter(({ knownShare, newWords }) => knownShare >= minKnownShare && newWords.length <= maxUnknown)
    .map(({ clip, knownShare, newWords, tStart }) => ({
      clip,
      detail: [known(knownShare), ...newWords.map(({ word, meaning }) => `${word}: ${meaning}`)].join(' · '),
      startS: tStart,
      wordId: newWords[0]?.wordId,
    }))
}

function feedClip({ clip, focusWord }: FeedItem, detail: string): ListedClip {
  return { clip, detail, startS: focusWord?.tStart, wordId: focusWord?.wordId }
}
