import type { FeedClip } from '#contract/clip.ts'
import type { FeedPage } from '#contract/feed.ts'
import type { WordClipPage } from '#contract/word-clips.ts'
import type { Word, WordPage } from '#contract/word.ts'
import { askService, unlessError } from '../ask-service.ts'
import type { Part } from '../cards/player.ts'
import { fitPreview } from '../known-set.ts'
import { previewClips, previewFeed, previewWords } from '../previews.ts'
import { sessionKey } from '../session-key.ts'
import { suggester } from '../suggest.ts'
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

async function ask<T extends object>([path, parameters]: Request, signal?: AbortSignal): Promise<T> {
  return unlessError(await askService<T>(path, parameters, signal))
}

/** What completes words, by language and level. */
const suggesters = new Map<string, ReturnType<typeof suggester>>()

function complete(view: View): Promise<Word[]> {
  const askFor = (q: string, signal: AbortSignal) => ask<WordPage>(wordsRequest({ ...view, q }), signal)
  const key = `${view.language} ${view.level}`
  const suggest = suggesters.get(key) ?? suggester(askFor)
  suggesters.set(key, suggest)
  return suggest(view.q.trim())
}

/** The words of a view, and what is said of them. */
export async function readWords(view: View, isLive: boolean): Promise<{ words: Word[]; note: string }> {
  if (isLive) {
    const words =
      view.q.trim() === '' ? (await ask<WordPage>(wordsRequest(view))).words : await complete(view)
    return { words, note: '' }
  }
  const words = await previewWords(view.language)
  const q = view.q.trim().toLowerCase()
  const found = words.filter(
    ({ word, level }) => (view.level === '' || level === view.level) && word.toLowerCase().startsWith(q),
  )
  const share = found.length === words.length ? 'The' : `${found.length} of the`
  const more = sessionKey() === '' ? '. With a key, you can see every word and every clip.' : ''
  return {
    words: found,
    note: `${share} ${words.length} most frequent words, with a few clips for each word${more}`,
  }
}

/** The clips with the word of a view. */
export async function readClips(view: View, isLive: boolean): Promise<ListedClip[]> {
  const { items } = isLive
    ? await ask<WordClipPage>(clipsRequest(view))
    : await previewClips(view.language, Number(view.word))
  return items.map(({ clip, occurrences: [first] }) => ({
    clip,
    detail: first?.text ?? '',
    startS: first?.tStart,
    wordId: Number(view.word),
  }))
}

export async function readFeed(view: View, isLive: boolean): Promise<ListedClip[]> {
  const { items } = isLive
    ? await ask<FeedPage>(feedRequest(view))
    : await previewFeed(view.language, levelOfFeed(view))
  return items.map(({ clip, focusWord }) => ({
    clip,
    detail: focusWord ? `${focusWord.word} (${focusWord.level}): ${focusWord.meaning}` : 'No focus word',
    startS: focusWord?.tStart,
    wordId: focusWord?.wordId,
  }))
}

/** The clips that somebody can follow who knows the level and the ticked words. */
export async function readFollowed(view: View, isLive: boolean): Promise<ListedClip[]> {
  const { language, level } = view
  const share = (knownShare: number) => `${Math.round(100 * knownShare)}% known`
  const request = knownRequest(view)
  if (isLive && request) {
    const { items } = await ask<FeedPage>(request)
    return items.map(({ clip, focusWord, knownShare = 1, unknownCount }) => ({
      clip,
      detail: `${share(knownShare)}, ${unknownCount} new${focusWord ? `: ${focusWord.word}` : ''}`,
      startS: focusWord?.tStart,
      wordId: focusWord?.wordId,
    }))
  }
  return (await fitPreview(language, level))
    .filter(({ knownShare, newWords }) => knownShare >= minKnownShare && newWords.length <= maxUnknown)
    .map(({ clip, knownShare, newWords, tStart }) => ({
      clip,
      detail: [share(knownShare), ...newWords.map(({ word, meaning }) => `${word}: ${meaning}`)].join(' · '),
      startS: tStart,
      wordId: newWords[0]?.wordId,
    }))
}
