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
import { ask, sessionKey, unlessError, type Request } from '../service.ts'

/**
 * What the explorer shows. The data comes from the previews, or from the service if the tab has a
 * key. The fragment of the address contains the view, so that it can be shared as a link.
 */
export interface View {
  view: 'words' | 'feed' | 'known'
  language: string
  /** Empty for the words of all levels. The other views have a level. */
  level: string
  /** The largest number of new words in a clip that a learner can follow. */
  maxUnknown: string
  q: string
  /** The id of the selected word. */
  word: string
  /** The id of the selected clip. */
  clip: string
}
export const emptyView: View = {
  view: 'words',
  language: '',
  level: '',
  maxUnknown: '2',
  q: '',
  word: '',
  clip: '',
}

/** The level of views that need one, until a visitor chooses another. */
export const defaultLevel = 'A2'

/** The least share of known words in clips that a learner can follow, as the guide recommends. */
const minKnownShare = 0.9

const wordsPerPage = 100
const clipsPerPage = 10

/** Returns the requests for a view, keyed by title. */
export function requestsOf(view: View): Record<string, Request> {
  const { language, level, maxUnknown, q, word, clip: clipId } = view
  const requests: Record<string, Request> = {}
  const limit = String(clipsPerPage)
  if (view.view === 'words')
    requests.Words = ['listWords', withoutEmptyValues({ language, level, q, limit: String(wordsPerPage) })]
  if (view.view === 'words' && word !== '')
    requests['Clips with the word'] = ['listWordClips', { word, language, limit }]
  if (view.view === 'feed') requests.Feed = ['getFeed', { language, level, seed: 'preview', limit }]
  const known = [level, ...tickedWordIds(language)].join()
  const fit = { known, minKnownShare: String(minKnownShare), maxUnknown }
  if (view.view === 'known') requests.Feed = ['getFeed', { language, ...fit, seed: 'preview', limit }]
  if (clipId !== '') requests.Transcript = ['getTranscript', { clipId }]
  return requests
}

/** Returns the fragment of a view, without empty values and those that the view does not use. */
export function fragmentOf({ maxUnknown, ...view }: View): string {
  const values = view.view === 'known' ? { ...view, maxUnknown } : view
  return `#${new URLSearchParams(withoutEmptyValues(values)).toString()}`
}

function withoutEmptyValues(parameters: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== ''))
}

/** A list as far as it has been read, and how to read one page more, unless it is complete. */
export interface List<T> {
  items: readonly T[]
  readMore: (() => Promise<List<T>>) | null
}
export const emptyList: List<never> = { items: [], readMore: null }

/** Returns the first items of a complete list. */
function listOf<T>(all: readonly T[], size: number, count = size): List<T> {
  const readMore = async () => listOf(all, size, count + size)
  return { items: all.slice(0, count), readMore: count < all.length ? readMore : null }
}

/** Reads a list of the service as far as its next page. */
async function readList<Page extends { nextCursor: string | null }, T>(
  [id, parameters]: Request,
  itemsOf: (page: Page) => T[],
  itemsBefore: readonly T[] = [],
): Promise<List<T>> {
  const page = unlessError(await ask<Page>([id, parameters]))
  const items = [...itemsBefore, ...itemsOf(page)]
  const { nextCursor: cursor } = page
  const readMore = () => readList([id, { ...parameters, cursor: cursor! }], itemsOf, items)
  return { items, readMore: cursor === null ? null : readMore }
}

/** Whether the previews contain all words and clips, as those of a sample corpus do. */
export const isComplete = byId('explorer').dataset.complete !== undefined

/** Returns what visitors can do to see more than the previews. */
function keyNote(): string {
  const needsKey = !isComplete && sessionKey() === ''
  return needsKey ? ' With a key, you can see every word and every clip.' : ''
}

/** Reads the words at a level that begin with a text, and a note about them. */
export async function readWords(view: View, isLive: boolean): Promise<{ words: List<Word>; note: string }> {
  const { language, level } = view
  const q = view.q.trim()
  if (isLive) {
    const [id, parameters] = requestsOf({ ...view, q }).Words!
    const wordsOf = ({ words }: WordPage): Word[] => words
    if (q === '') return { words: await readList([id, parameters], wordsOf), note: '' }
    const { words, cursor } = await completeWord(q, withoutEmptyValues({ ...parameters, q: '' }))
    const readMore = () => readList([id, { ...parameters, cursor: cursor! }], wordsOf, words)
    return { words: { items: words, readMore: cursor === null ? null : readMore }, note: '' }
  }
  const words = await previewWords(language)
  const wordsAtLevel = words.filter((word) => level === '' || word.level === level)
  const matches = matchingWords(wordsAtLevel, q, language)
  const count = matches.length === 0 ? 'None' : String(matches.length)
  const shownPart = matches.length === words.length ? 'The' : `${count} of the`
  const all = isComplete
    ? 'words of the sample corpus'
    : 'most frequent words, with a few clips for each word'
  const note = `${shownPart} ${words.length} ${all}.${keyNote()}`
  return { words: listOf(matches, wordsPerPage), note }
}

/** The cursors of the words that complete a text, keyed by the text; null after the last page. */
const cursors = new Map<string, string | null>()
/** The functions that complete words with the key of this tab, keyed by their filter. */
const completions = new Map<string, ReturnType<typeof autocomplete>>()

/**
 * Returns the first words that complete a text, and the cursor of the next ones; never resolves if
 * another text was typed since.
 */
async function completeWord(
  text: string,
  filter: Record<string, string>,
): Promise<{ words: FoundWord[]; cursor: string | null }> {
  const listWords = async ({ q = '' }: ListWordsParameters = {}, { signal }: CallOptions = {}) => {
    const page = unlessError(await ask<WordPage>(['listWords', { ...filter, q }], signal))
    cursors.set(q, page.nextCursor)
    return page
  }
  const key = JSON.stringify(filter)
  const complete = completions.get(key) ?? autocomplete({ listWords })
  completions.set(key, complete)
  cursors.delete(text)
  const words = await complete(text)
  if (words === null) return await new Promise(() => {})
  return { words, cursor: cursors.get(text) ?? null }
}

/** A clip in a list, with its start time and the word to underline. */
export interface ListedClip {
  clip: FeedClip
  detail: string
  startS: number | undefined
  wordId: number | undefined
}

/** Reads the selected word and the clips with it. */
export async function readClips(
  view: View,
  isLive: boolean,
): Promise<{ word: Word; clips: List<ListedClip> }> {
  const { language, word: id } = view
  const toListedClips = ({ items, word }: WordClipPage): ListedClip[] =>
    items.map(({ clip, occurrences: [first] }) => ({
      clip,
      detail: first?.text ?? '',
      startS: first?.tStart,
      wordId: word.wordId,
    }))
  if (!isLive) {
    const page = await previewWordClips(language, id)
    return { word: page.word, clips: listOf(toListedClips(page), clipsPerPage) }
  }
  let word: Word | undefined
  const clips = await readList(requestsOf(view)['Clips with the word']!, (page: WordClipPage) => {
    word = page.word
    return toListedClips(page)
  })
  return { word: word!, clips }
}

/** Reads the feed for a learner at a level, and a note about it. */
export async function readFeed(
  view: View,
  isLive: boolean,
): Promise<{ clips: List<ListedClip>; note: string }> {
  const toListedClips = ({ items }: FeedPage) =>
    items.map((item) => {
      const { word, level, meaning } = item.focusWord ?? {}
      return toListedClip(item, word === undefined ? 'No focus word' : `${word} (${level}): ${meaning}`)
    })
  const note = 'The clips in shuffled order, each with a word to learn if it has one.'
  if (isLive) return { clips: await readList(requestsOf(view).Feed!, toListedClips), note }
  const page = await previewFeed(view.language, view.level)
  return { clips: listOf(toListedClips(page), clipsPerPage), note: note + keyNote() }
}

/**
 * Reads the clips that a learner who knows the level and the ticked words can follow, and a note
 * about them.
 */
export async function readFollowed(
  view: View,
  isLive: boolean,
): Promise<{ clips: List<ListedClip>; note: string }> {
  const { language, level, maxUnknown } = view
  const fit = `you know at least ${100 * minKnownShare}% of what is said in them, with at most ${maxUnknown} new words`
  const more = 'Select the words that you know to find more. Your selection is stored only in this browser.'
  const knownText = (share: number) => `${Math.round(100 * share)}% known`
  if (isLive) {
    const clips = await readList(requestsOf(view).Feed!, ({ items }: FeedPage) =>
      items.map((item) => {
        const { focusWord, knownShare = 1, unknownCount } = item
        const word = focusWord ? `: ${focusWord.word}` : ''
        return toListedClip(item, `${knownText(knownShare)}, ${unknownCount} new${word}`)
      }),
    )
    return { clips, note: `Clips that you can follow: ${fit}. ${more}` }
  }
  const all = await fitPreview(language, level, tickedWordIds(language))
  const followableClips = all
    .filter(
      ({ knownShare, newWords }) => knownShare >= minKnownShare && newWords.length <= Number(maxUnknown),
    )
    .map(({ clip, knownShare, newWords, tStart }) => ({
      clip,
      detail: [knownText(knownShare), ...newWords.map(({ word, meaning }) => `${word}: ${meaning}`)].join(
        ' · ',
      ),
      startS: tStart,
      wordId: newWords[0]?.wordId,
    }))
  const fullyKnownCount = all.filter(({ newWords }) => newWords.length === 0).length
  const counts = `You can follow ${followableClips.length} of ${all.length} clips: ${fit}. In ${fullyKnownCount} of them, you know every word.`
  return { clips: listOf(followableClips, clipsPerPage), note: `${counts} ${more}` }
}

/**
 * Returns the words in the previews that are above the level. Words from the clips with the fewest
 * such words come first, because learning them makes these clips suitable soonest.
 */
export async function readWordsToLearn({ language, level, q }: View): Promise<Word[]> {
  const prefix = q.trim().toLowerCase()
  const fits = await fitPreview(language, level, new Set())
  const words = fits.flatMap(({ newWords }) => newWords)
  return [...new Set(words)].filter(({ word }) => word.toLowerCase().startsWith(prefix))
}

function toListedClip({ clip, focusWord }: FeedItem, detail: string): ListedClip {
  return { clip, detail, startS: focusWord?.tStart, wordId: focusWord?.wordId }
}
