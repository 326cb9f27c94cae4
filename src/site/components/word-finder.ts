import { html, nothing, render } from 'lit-html'
import { minutes } from '#client/player/minutes.ts'
import type { ClipPlayer } from '#client/player/clip-player.ts'
import type { FeedClip } from '#contract/clip.ts'
import type { ErrorBody } from '#contract/errors.ts'
import type { SentencePage } from '#contract/sentences.ts'
import type { WordClipPage } from '#contract/word-clips.ts'
import type { FoundWord } from '#contract/word.ts'
import { closestOf } from '#kit/closest.ts'
import { countText } from '#kit/count-text.ts'
import { caseKey } from '#language/lower-case.ts'
import type { PreviewWord } from '#site/build/previews.ts'
import { chooseWords } from '#site/build/choose-words.ts'
import { targetOf } from '#site/target-of.ts'
import { highlightedSentence } from './cards/clip-card.ts'
import { showClip } from './cards/player.ts'
import { combobox, type Option } from './combobox.ts'
import { byId, showIn } from './elements.ts'
import { latestOnly } from './latest-only.ts'
import { jsonTree } from './json-tree.ts'
import { searchSentences } from './preview-sentences.ts'
import { findWord, matchingWords, previewClips, previewWordClips, previewWords } from './previews.ts'
import { ask, sessionKey, type Request } from './service.ts'

/**
 * The word finder. It answers from the previews if it can, and always takes suggestions from them.
 * Only a search that the previews cannot answer uses the key of this tab. The address contains the
 * search.
 */

const form = byId<HTMLFormElement>('word-finder-form')
const languageSelect = byId<HTMLSelectElement>('word-finder-language')
const input = byId<HTMLInputElement>('word-finder-word')
const player = byId<ClipPlayer>('word-finder-player')

/** Whether the previews contain all words and clips. */
const isComplete = byId('word-finder').dataset.complete !== undefined

/** A moment at which the text occurs. */
interface Match {
  clip: FeedClip
  moment: { tStart: number; text: string; start: number; end: number }
}

/** The result of a search. Without a page, it needs a key. */
interface Result {
  request: Request
  page: WordClipPage | SentencePage | FeedClip | ErrorBody | null
}

const momentsShown = 3
const suggestionsShown = 8
const similarWordsShown = 3
/** The `limit` of a request for clips. */
const limit = '20'

const defaultLanguage = languageSelect.value
let words: PreviewWord[] = []
/** Ends when `words` are those of the selected language. */
let wordsLoading: Promise<void> = Promise.resolve()
/** The part of the address that contains the search. */
let searchInAddress = location.search
const latestSearch = latestOnly()
const showSuggestions = combobox(input, byId('word-finder-suggestions'), (word) => void find(word))

input.addEventListener('input', () => showSuggestions(wordsLike(input.value.trim()).map(suggestion)))
form.addEventListener('submit', (event) => {
  event.preventDefault()
  void find(input.value.trim())
})
languageSelect.addEventListener('change', () => void findFirstWord())
addEventListener('popstate', () => {
  // A link to a heading changes only the fragment.
  if (location.search !== searchInAddress) void showAddress()
})
void showAddress()

/** Shows the search in the address or, without one, the clips of the first suggested word. */
async function showAddress(): Promise<void> {
  searchInAddress = location.search
  const query = new URLSearchParams(searchInAddress)
  languageSelect.value = query.get('language') ?? defaultLanguage
  if (languageSelect.selectedIndex < 0) languageSelect.value = defaultLanguage
  await latestSearch(useLanguage())
  const text = query.get('word')?.trim() || chooseWords(words)[0]
  if (text) await show(text)
  else endLoading()
}

/**
 * Finds the clips with the first suggested word of the selected language, unless the visitor types
 * in the meantime.
 */
async function findFirstWord(): Promise<void> {
  const textBefore = input.value
  await latestSearch(useLanguage())
  const [first] = chooseWords(words)
  if (first !== undefined && input.value === textBefore) await find(first)
}

function useLanguage(): Promise<void> {
  wordsLoading = loadWords(languageSelect.value)
  return wordsLoading
}

async function loadWords(language: string): Promise<void> {
  input.lang = language
  const previews = await previewWords(language)
  if (language !== languageSelect.value) return
  words = previews
  showChoices('')
}

/** Finds the clips that contain a text, and puts the search into the address. */
async function find(text: string, language = languageSelect.value): Promise<void> {
  if (text === '') return
  if (language !== languageSelect.value) {
    languageSelect.value = language
    void useLanguage()
  }
  await latestSearch(wordsLoading)
  const search = `?${new URLSearchParams({ language, word: text }).toString()}`
  if (search !== searchInAddress) history.pushState(null, '', search)
  searchInAddress = search
  await show(text)
}

async function show(text: string): Promise<void> {
  showSuggestions([])
  input.value = text
  showChoices(text)
  try {
    const [result, suggestions] = await latestSearch(searchWithSuggestions(text))
    draw(text, result, suggestions)
  } catch (error) {
    say('No response', `The request failed: ${(error as Error).message}`)
  }
  endLoading()
}

/** From now on, an empty list of moments no longer means that it is loading. */
function endLoading(): void {
  byId('word-finder').dataset.ready = 'true'
}

function showChoices(currentWord: string): void {
  const buttons = chooseWords(words).map((word) => wordButton(word, word === currentWord))
  render(buttons, byId('word-finder-choices'))
}

function wordButton(word: string, isPressed: unknown = nothing, lang = languageSelect.value) {
  return html`<button type="button" lang=${lang} aria-pressed=${isPressed} @click=${() => find(word, lang)}>
    ${word}
  </button>`
}

/** Draws a text in its language, by default the selected one. */
function textOf(text: string, language = languageSelect.value) {
  return html`<span lang=${language}>${text}</span>`
}

/** Returns the words with a preview that begin with a text. */
function wordsLike(text: string): FoundWord[] {
  const isLongEnough = text.length > 1 || /\P{Script=Latin}/u.test(text)
  if (!isLongEnough) return []
  return matchingWords(words, text, languageSelect.value).slice(0, suggestionsShown)
}

function suggestion({ word, level, meaning, matchedForm }: FoundWord): Option {
  const spelling = matchedForm === undefined ? nothing : html` (${textOf(matchedForm)})`
  const name = html`<strong>${textOf(word)}</strong>`
  return [word, html`${name}${spelling}<small>${level} · ${meaning}</small>`]
}

/** Searches for a text. If it is not a word, also returns suggestions. */
async function searchWithSuggestions(text: string): Promise<[Result, unknown]> {
  const videoId = videoIdIn(text)
  if (videoId !== null) return [await searchVideo(videoId), nothing]
  const result = await searchText(text)
  const hasWord = result.page !== null && 'word' in result.page
  return [result, hasWord ? nothing : await suggestionsFor(text)]
}

/** Finds the clips that contain a text, as a word or else in sentences. */
async function searchText(text: string): Promise<Result> {
  const language = languageSelect.value
  const clipsRequest: Request = ['listWordClips', { word: text, language, limit }]
  const word = findWord(words, text, language)
  if (word) return { request: clipsRequest, page: await previewWordClips(language, word.wordId) }
  const request: Request = ['searchSentences', { q: text, language, limit }]
  if (isComplete || sessionKey() === '') {
    const { clips } = await previewClips(language)
    const page = searchSentences(clips, words, text, language)
    return { request, page: isComplete || page.items.length > 0 ? page : null }
  }
  const page = await ask<WordClipPage>(clipsRequest)
  const hasWord = !('error' in page) || page.error.code !== 'not_found'
  return hasWord ? { request: clipsRequest, page } : { request, page: await ask<SentencePage>(request) }
}

/** Returns the id of the video in an address; null for another text. */
function videoIdIn(text: string): string | null {
  if (!/^(https?:\/\/|www\.|youtu\.be\/)\S+$/i.test(text)) return null
  const url = URL.parse(text.includes('://') ? text : `https://${text}`)
  const id = url?.searchParams.get('v') ?? url?.pathname.split('/').findLast(Boolean) ?? ''
  return /^[\w-]{1,64}$/.test(id) ? id : null
}

/** Finds the clip of a video, in any language. */
async function searchVideo(videoId: string): Promise<Result> {
  const request: Request = ['getClip', { clipId: videoId }]
  const languages = [...languageSelect.options].map(({ value }) => value)
  const previews = await Promise.all(languages.map(previewClips))
  const match = previews.flatMap(({ clips }) => clips).find(({ clip }) => clip.videoId === videoId)
  if (match) return { request, page: match.clip }
  if (!isComplete && sessionKey() === '') return { request, page: null }
  if (!isComplete) return { request, page: await ask<FeedClip>(request) }
  const message = `None of the sample clips has the video id ${videoId}. Try one of the words above.`
  return { request, page: { error: { code: 'not_found', message } } }
}

/** Draws the result of a search. */
function draw(text: string, { request, page }: Result, suggestions: unknown): void {
  if (page === null) return invite(text, suggestions)
  if ('error' in page) return say(html`No clips for “${textOf(text)}”`, page.error.message, suggestions)
  if ('videoId' in page) {
    const channel = textOf(page.channel.name, page.language)
    say(textOf(page.title, page.language), html`${page.level} · ${channel} · ${minutes(page.durationS)}`)
    player.hidden = false
    showClip(player, page)
  } else {
    sayCount(text, page, suggestions)
    const moments = page.items.flatMap((item) => {
      const occurrences = 'matches' in item ? item.matches : item.occurrences
      return occurrences.map((moment) => ({ clip: item.clip, moment }))
    })
    showMatches(moments, 'word' in page ? page.word.wordId : undefined)
  }
  showRequest(request, page)
}

/** Shows in how many clips a word or another text occurs. */
function sayCount(text: string, page: WordClipPage | SentencePage, suggestions: unknown): void {
  const { totalCount } = page
  // The count is known, because the finder filters nothing.
  const clips = countText(totalCount!, 'clip')
  const language = languageSelect.value
  if ('word' in page) {
    const { word, level, meaning } = page.word
    const isForm = caseKey(text, language) !== caseKey(word, language)
    const matchedBy = isForm ? html`, matched by “${textOf(text)}”` : nothing
    const title = html`${clips} with “${textOf(word)}”${matchedBy}`
    return say(title, meaning === '' ? level : `${level} · ${meaning}`)
  }
  const catalogue = isComplete ? 'the sample catalogue' : 'the catalogue'
  const isSearchedInPart = !isComplete && sessionKey() === ''
  if (totalCount === 0) {
    const note = `It is not in ${catalogue}, and it is not said in any clip. Try one of the words above.`
    return say(html`No clips for “${textOf(text)}”`, note, suggestions)
  }
  if (isSearchedInPart) return say(html`${clips} in which “${textOf(text)}” is said`, partNote(), suggestions)
  const note = html`“${textOf(text)}” is not a word in ${catalogue}. It was found in sentences.`
  say(html`${clips} in which “${textOf(text)}” is said`, note, suggestions)
}

/** Says that only some clips were searched, and how to search all. */
function partNote() {
  return html`Without a key, this page searches only some of the clips.
    <a href="/signup/">Get a free trial key</a> and return to this page in the same tab to search all of them.`
}

/** Says that a search needs a key. */
function invite(text: string, suggestions: unknown): void {
  say(
    html`“${textOf(text)}” needs a key`,
    html`Without a key, you can search for the ${words.length} most frequent words, and in some of the clips.
      <a href="/signup/">Get a free trial key</a> and return to this page in the same tab to search for any
      text.`,
    suggestions,
  )
}

/** Shows a title and a text, and removes the clips of the previous search. */
function say(title: unknown, text: unknown, suggestions: unknown = nothing): void {
  showIn(
    'word-finder-answer',
    html`<h2>${title}</h2>
      <p class="note">${text}</p>
      ${suggestions}`,
  )
  showMatches([])
  render(nothing, byId('word-finder-request'))
  player.clip = null
}

/**
 * Returns buttons for this word in other languages, for words with this meaning, and for words with
 * a similar spelling.
 */
async function suggestionsFor(text: string) {
  const language = languageSelect.value
  const sense = withoutArticle(text.toLowerCase())
  const meaningWords = words.filter(({ meaning }) => sensesOf(meaning).includes(sense))
  const otherLanguages = [...languageSelect.options].filter(({ value }) => value !== language)
  const otherWords = await Promise.all(
    otherLanguages.map(async ({ value, text: name }) => {
      const word = findWord(await previewWords(value), text, value)?.word
      return word === undefined ? [] : [html`${wordButton(word, nothing, value)} (${name.trim()})`]
    }),
  )
  const line = (label: string, buttons: unknown[]) =>
    buttons.length > 0 ? html`<p class="choices">${label} ${buttons}</p>` : nothing
  const meaningButtons = meaningWords.slice(0, suggestionsShown).map(({ word }) => wordButton(word))
  const similarButtons = similarWords(text).map((word) => wordButton(word))
  return [
    line('In another language:', otherWords.flat()),
    line(`Words that mean “${text}”:`, meaningButtons),
    line('Words with a similar spelling:', similarButtons),
  ]
}

/** Returns the words whose spellings are closest to a text. */
function similarWords(text: string): string[] {
  const similar: string[] = []
  while (similar.length < similarWordsShown) {
    const candidates = words.filter(({ word }) => !similar.includes(word))
    const spellings = candidates.flatMap(({ word, forms }) => [word, ...forms])
    const spelling = closestOf(text, spellings)
    if (spelling === undefined) break
    similar.push(candidates.find(({ word, forms }) => word === spelling || forms.includes(spelling))!.word)
  }
  return similar
}

function sensesOf(meaning: string): string[] {
  return meaning
    .toLowerCase()
    .split(/[;,/]/)
    .map((sense) => withoutArticle(sense.trim()))
}

const withoutArticle = (sense: string) => sense.replace(/^(?:to|an?|the) /, '')

/** Shows the request, and its response with the less important parts folded. */
function showRequest(request: Request, page: WordClipPage | SentencePage | FeedClip): void {
  const body = 'items' in page ? { ...page, nextCursor: null } : page
  const view = html`<p class="target"><strong>GET</strong> <code>${targetOf(...request)}</code></p>
    <div class="json-tree" tabindex="0" role="group" aria-label="Response">
      ${jsonTree(body, { language: languageSelect.value, gloss: 'en' }, 3)}
    </div>`
  render(view, byId('word-finder-request'))
}

/**
 * Shows the moments at which a text occurs, the selected one in the player, and buttons that lead
 * from one to the next. The word with an id is underlined in the lines.
 */
function showMatches(matches: readonly Match[], wordId?: number, matchIndex = 0, count = momentsShown): void {
  const play = (index: number) => {
    showMatches(matches, wordId, index, Math.max(count, index + 1))
    player.play()
  }
  const lines = matches.slice(0, count).map(({ clip, moment }, i) => {
    const { text, start, end, tStart } = moment
    return html`<li>
      <button type="button" aria-pressed=${i === matchIndex} @click=${() => play(i)}>
        <span lang=${clip.language}>${highlightedSentence(text, start, end)}</span>
        <small>${clip.level} · ${textOf(clip.title, clip.language)} · ${minutes(tStart)}</small>
      </button>
    </li>`
  })
  render(lines, byId('word-finder-moments'))
  const step = (label: string, index: number) =>
    html`<button type="button" ?disabled=${!matches[index]} @click=${() => play(index)}>${label}</button>`
  const clipCount = new Set(matches.map(({ clip }) => clip.clipId)).size
  const showAll = () => showMatches(matches, wordId, matchIndex, Infinity)
  const buttons = html`${step('Previous match', matchIndex - 1)} ${step('Next match', matchIndex + 1)}
  ${
    matches.length > count
      ? html`<button type="button" @click=${showAll}>
          ${clipCount === 1 ? 'More matches' : `Show ${clipCount} clips`}
        </button>`
      : nothing
  }`
  render(matches.length > 0 ? buttons : nothing, byId('word-finder-matches'))
  const match = matches[matchIndex]
  player.hidden = match === undefined
  if (match) showClip(player, match.clip, match.moment.tStart, wordId)
}
