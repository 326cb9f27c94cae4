import type { CallOptions } from '#client/call-options.ts'
import { autocomplete } from '#client/helpers/autocomplete.ts'
import type { ListWordsParameters } from '#client/operations.ts'
import type { FeedClip } from '#contract/clip.ts'
import type { FeedItem, FeedPage } from '#contract/feed.ts'
import type { WordClipPage } from '#contract/word-clips.ts'
import type { FoundWord, Word, WordPage } from '#contract/word.ts'
import { byId } from '../elements.ts'
import { fitPreview, tickedWordIds } from '../known-set.ts'
import { matchingWords, previewFeed, previewWordClips, previewWords } from '../previews.ts'
import { ask, sessionKey, unlessError } from '../service.ts'

/**
 * What the explorer shows. The data comes from the previews, or from the service if the tab has a
 * key. The fragment of the address contains the view, so that it can be shared as a link.
 */
export interface View {
  view: 'words' | 'feed' | 'known'
  language: string
  level: string
  q: string
  /** The id of the selected word. */
  word: string
  /** The id of the selected clip. */
  clip: string
}
export const emptyView: View = { view: 'words', language: '', level: '', q: '', word: '', clip: '' }

/** Whether the previews contain all words and clips. */
export const isComplete = () => byId('explorer').dataset.complete !== undefined

/** Limits for clips that a learner can follow, as recommended in the guide. */
const minKnownShare = 0.9
const maxUnknown = 2

/** Returns the selected level, or the default level of a feed. */
const levelOfFeed = ({ level }: View) => level || 'A2'

/** A request: a path, and the parameters for the path and the query. */
type Request = [path: string, parameters: Record<string, string>]

/** Returns the requests for a view, keyed by title. */
export function requestsOf(view: View): Record<string, Request> {
  const { language, level, q, word, clip: clipId } = view
  const requests: Record<string, Request> = {}
  if (view.view === 'words')
    requests.Words = ['/words', withoutEmptyValues({ language, level, q, limit: '100' })]
  if (view.view === 'words' && word !== '')
    requests['Clips with the word'] = ['/words/{word}/clips', { word, language, limit: '20' }]
  if (view.view === 'feed')
    requests.Feed = ['/feed', { language, level: levelOfFeed(view), seed: 'preview', limit: '6' }]
  const known = [...(level === '' ? [] : [level]), ...tickedWordIds(language)].join()
  const least = { minKnownShare: String(minKnownShare), maxUnknown: String(maxUnknown) }
  if (view.view === 'known' && known !== '')
    requests.Feed = ['/feed', { language, known, ...least, seed: 'preview' }]
  if (clipId !== '') requests.Transcript = ['/clips/{clipId}/transcript', { clipId }]
  return requests
}

/** Returns the fragment of a view, without empty values. */
export function fragmentOf(view: View): string {
  return `#${new URLSearchParams(withoutEmptyValues({ ...view })).toString()}`
}

function withoutEmptyValues(parameters: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== ''))
}

async function read<T extends object>(view: View, title: string): Promise<T> {
  return unlessError(await ask<T>(...requestsOf(view)[title]!))
}

/** A clip in a list, with its start time and the word to underline. */
export interface ListedClip {
  clip: FeedClip
  detail: string
  startS: number | undefined
  wordId: number | undefined
}

/** The content of a view's lists. Without `clips`, the view shows the clips of a word. */
interface Lists {
  words: Word[]
  clips?: ListedClip[]
  note: string
}

/** Reads the content of a view. */
export async function readView(view: View, isLive: boolean): Promise<Lists> {
  if (view.view === 'words') return await readWords(view, isLive)
  if (view.view === 'feed') {
    const note = `A shuffled feed for a learner at ${levelOfFeed(view)}`
    return { words: [], clips: await readFeed(view, isLive), note }
  }
  const clips = await readFollowed(view, isLive)
  const note =
    `You know at least ${100 * minKnownShare}% of what is said in ${clips.length} clips, ` +
    `with at most ${maxUnknown} new words. To find more clips, select more words. Your selection is stored only in this browser.`
  return { words: [], clips, note }
}

async function readWords(view: View, isLive: boolean): Promise<Lists> {
  const { language, level } = view
  const q = view.q.trim()
  if (isLive && q === '') return { words: (await read<WordPage>({ ...view, q }, 'Words')).words, note: '' }
  if (isLive) return { words: await completeWord(q, language, level), note: '' }
  const words = await previewWords(language)
  const wordsAtLevel = words.filter((word) => level === '' || word.level === level)
  const matches = matchingWords(wordsAtLevel, q, language)
  const share = matches.length === words.length ? 'The' : `${matches.length} of the`
  if (isComplete()) return { words: matches, note: `${share} ${words.length} words of the sample corpus` }
  const more = sessionKey() === '' ? '. With a key, you can see every word and every clip.' : ''
  const note = `${share} ${words.length} most frequent words, with a few clips for each word${more}`
  return { words: matches, note }
}

/** The functions that complete words with the key of this tab, keyed by language and level. */
const completions = new Map<string, ReturnType<typeof autocomplete>>()

/** Returns the words that complete a text; never resolves if another text was typed since. */
async function completeWord(text: string, language: string, level: string): Promise<FoundWord[]> {
  const filter = withoutEmptyValues({ language, level })
  const key = JSON.stringify(filter)
  const listWords = async ({ q = '' }: ListWordsParameters = {}, { signal }: CallOptions = {}) =>
    unlessError(await ask<WordPage>('/words', { ...filter, q, limit: '100' }, signal))
  const complete = completions.get(key) ?? autocomplete({ listWords })
  completions.set(key, complete)
  return (await complete(text)) ?? (await new Promise(() => {}))
}

/** Reads the clips with the selected word. */
export async function readClips(view: View, isLive: boolean): Promise<ListedClip[]> {
  const { items, word } = isLive
    ? await read<WordClipPage>(view, 'Clips with the word')
    : await previewWordClips(view.language, view.word)
  return items.map(({ clip, occurrences: [first] }) => ({
    clip,
    detail: first?.text ?? '',
    startS: first?.tStart,
    wordId: word.wordId,
  }))
}

async function readFeed(view: View, isLive: boolean): Promise<ListedClip[]> {
  const { items } = isLive
    ? await read<FeedPage>(view, 'Feed')
    : await previewFeed(view.language, levelOfFeed(view))
  return items.map((item) => {
    const { word, level, meaning } = item.focusWord ?? {}
    return toListedClip(item, word === undefined ? 'No focus word' : `${word} (${level}): ${meaning}`)
  })
}

/** Reads the clips that a learner can follow who knows the level and the ticked words. */
async function readFollowed(view: View, isLive: boolean): Promise<ListedClip[]> {
  const known = (share: number) => `${Math.round(100 * share)}% known`
  if (isLive && 'Feed' in requestsOf(view)) {
    const { items } = await read<FeedPage>(view, 'Feed')
    return items.map((item) => {
      const { focusWord, knownShare = 1, unknownCount } = item
      return toListedClip(
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

function toListedClip({ clip, focusWord }: FeedItem, detail: string): ListedClip {
  return { clip, detail, startS: focusWord?.tStart, wordId: focusWord?.wordId }
}
