import { html, nothing, render } from 'lit-html'
import { minutes } from '#client/player/minutes.ts'
import type { ClipPlayer } from '#client/player/clip-player.ts'
import type { ErrorBody } from '#contract/errors.ts'
import type { WordClipPage } from '#contract/word-clips.ts'
import type { FoundWord } from '#contract/word.ts'
import { closestOf } from '#kit/closest.ts'
import { chooseWords } from '#site/build/choose-words.ts'
import { highlightedSentence } from './cards/clip-card.ts'
import { showClip } from './cards/player.ts'
import { combobox, type Option } from './combobox.ts'
import { byId, showIn } from './elements.ts'
import { latestOnly } from './latest-only.ts'
import { jsonTree } from './json-tree.ts'
import { findWord, matchingWords, previewClips, previewWords } from './previews.ts'
import { ask, sessionKey } from './service.ts'
import { completeWord } from './suggest.ts'

const form = byId<HTMLFormElement>('word-finder-form')
const languageSelect = byId<HTMLSelectElement>('word-finder-language')
const input = byId<HTMLInputElement>('word-finder-word')
const player = byId<ClipPlayer>('word-finder-player')

type WordClipItem = WordClipPage['items'][number]

/** A moment at which the word is said. */
type Match = WordClipItem & { occurrence: WordClipItem['occurrences'][number] }

const momentsShown = 3
const suggestionsShown = 8
/** The `limit` of a request for clips. */
const clipsAsked = '20'

let words: Awaited<ReturnType<typeof previewWords>> = []
const latestSearch = latestOnly()
const latestSuggestions = latestOnly()
const showSuggestions = combobox(input, byId('word-finder-suggestions'), (word) => void find(word))
input.addEventListener('input', () => void offer(wordsLike(input.value.trim())))
form.addEventListener('submit', (event) => {
  event.preventDefault()
  void find(input.value.trim())
})
languageSelect.addEventListener('change', () => void useLanguage())
void useLanguage().then(() => (byId('word-finder').dataset.ready = 'true'))

/** Shows the suggested words of a language, and the clips of the first one. */
async function useLanguage(): Promise<void> {
  const language = languageSelect.value
  input.lang = language
  words = await previewWords(language)
  showChoices('')
  const [first] = chooseWords(words)
  if (first !== undefined) await find(first)
}

function showChoices(pressed: string): void {
  const buttons = chooseWords(words).map((word) => wordButton(word, word === pressed))
  render(buttons, byId('word-finder-choices'))
}

function wordButton(word: string, isPressed: unknown = nothing) {
  const { value: lang } = languageSelect
  return html`<button type="button" lang=${lang} aria-pressed=${isPressed} @click=${() => find(word)}>
    ${word}
  </button>`
}

/** Shows suggestions for the text in the field. */
async function offer(pendingWords: Promise<FoundWord[]>): Promise<void> {
  // If the service does not respond, a search shows the reason.
  const suggestions = await latestSuggestions(pendingWords.catch(() => []))
  showSuggestions(suggestions.slice(0, suggestionsShown).map(suggestion))
}

/** Returns the words that match a text: with a key all words, otherwise those with a preview. */
async function wordsLike(text: string): Promise<FoundWord[]> {
  const isLongEnough = text.length > 1 || /\P{Script=Latin}/u.test(text)
  if (!isLongEnough) return []
  if (sessionKey() === '') return matchingWords(words, text)
  return await completeWord(text, { language: languageSelect.value, limit: '100' })
}

function suggestion({ word, level, meaning, matchedForm }: FoundWord): Option {
  const form = matchedForm === undefined ? '' : ` (${matchedForm})`
  const name = html`<strong lang=${languageSelect.value}>${word}</strong>`
  return [word, html`${name}${form}<small>${level} · ${meaning}</small>`]
}

async function find(text: string): Promise<void> {
  void offer(Promise.resolve([]))
  input.value = text
  showChoices(text)
  try {
    const page = await latestSearch(clipsWith(text))
    if (page === null) invite(text)
    else if (!('error' in page)) show(text, page)
    else say(`No clips for “${text}”`, page.error.message, page.error.code === 'not_found' ? text : '')
  } catch (error) {
    say('No response', `The request failed: ${(error as Error).message}`)
  }
}

/** Returns the clips with a word, from its preview or the service; null if a key is needed. */
async function clipsWith(word: string): Promise<WordClipPage | ErrorBody | null> {
  const language = languageSelect.value
  const previewWord = findWord(words, word)
  if (previewWord) return await previewClips(language, previewWord.wordId)
  if (sessionKey() === '') return null
  return await ask('/words/{word}/clips', { word, language, limit: clipsAsked })
}

/** Shows the request for the clips, and its response with what matters less folded. */
function showRequest(text: string, page: WordClipPage): void {
  const query = new URLSearchParams({ language: languageSelect.value, limit: clipsAsked })
  const view = html`<p class="target">
      <strong>GET</strong> <code>/v1/words/${encodeURIComponent(text)}/clips?${query.toString()}</code>
    </p>
    <div class="tree" tabindex="0" role="group" aria-label="Response">${jsonTree(page)}</div>`
  render(view, byId('word-finder-request'))
}

function show(text: string, { items, totalCount, word }: WordClipPage): void {
  const clips = totalCount === 1 ? '1 clip' : `${totalCount} clips`
  const isForm = text.toLowerCase() !== word.word.toLowerCase()
  say(`${clips} with “${word.word}”${isForm ? ` (said as ${text})` : ''}`, `${word.level} · ${word.meaning}`)
  const matches = items.flatMap((item) => item.occurrences.map((occurrence) => ({ ...item, occurrence })))
  showMatches(matches, word.wordId, 0, momentsShown)
  showRequest(text, { items, totalCount, word, nextCursor: null })
}

/**
 * Shows the moments at which a word is said, the selected one in the player, and buttons that lead
 * from one to the next.
 */
function showMatches(matches: readonly Match[], wordId: number, selected: number, shown: number): void {
  const play = (index: number) => {
    showMatches(matches, wordId, index, Math.max(shown, index + 1))
    player.play()
  }
  const lines = matches.slice(0, shown).map(({ clip, occurrence }, i) => {
    const { text, start, end, tStart } = occurrence
    return html`<li>
      <button type="button" aria-pressed=${i === selected} @click=${() => play(i)}>
        <span lang=${clip.language}>${highlightedSentence(text, start, end)}</span>
        <small>${clip.level} · ${clip.title} · ${minutes(tStart)}</small>
      </button>
    </li>`
  })
  render(lines, byId('word-finder-moments'))
  const step = (label: string, index: number) =>
    html`<button type="button" ?disabled=${!matches[index]} @click=${() => play(index)}>${label}</button>`
  const clipCount = new Set(matches.map(({ clip }) => clip.clipId)).size
  const showAll = () => showMatches(matches, wordId, selected, Infinity)
  const buttons = html`${step('Previous match', selected - 1)} ${step('Next match', selected + 1)}
  ${
    matches.length > shown
      ? html`<button type="button" @click=${showAll}>
          ${clipCount === 1 ? 'All matches' : `All ${clipCount} clips`}
        </button>`
      : nothing
  }`
  render(matches.length > 0 ? buttons : nothing, byId('word-finder-matches'))
  const match = matches[selected]
  player.hidden = match === undefined
  if (match) showClip(player, match.clip, match.occurrence.tStart, wordId)
}

/** Says that there is no such word, or that a search for it needs a key. */
function invite(text: string): void {
  if (byId('word-finder').dataset.complete !== undefined)
    return say(
      `No clips for “${text}”`,
      'The sample catalogue does not have this word. With your own clips, you choose the words.',
      text,
    )
  say(
    `“${text}” needs a key`,
    html`Without a key, you can search only for the ${words.length} most frequent words.
      <a href="/signup/">Get a free trial key</a> and return to this page in the same tab to search for any
      word.`,
    text,
  )
}

/** Shows a message instead of clips, and suggests words with a similar spelling or this meaning. */
function say(title: string, text: unknown, word = ''): void {
  const closestWord = closestOf(
    word,
    words.map(({ word }) => word),
  )
  const meaningWords =
    word === '' ? [] : words.filter(({ meaning }) => sensesOf(meaning).includes(word.toLowerCase()))
  showIn(
    'word-finder-answer',
    html`<h2>${title}</h2>
      <p class="note">${text}</p>
      ${closestWord && html`<p class="choices">Did you mean ${wordButton(closestWord)}?</p>`}
      ${
        meaningWords.length > 0
          ? html`<p class="choices">
              Words that mean “${word}”:
              ${meaningWords.slice(0, suggestionsShown).map((each) => wordButton(each.word))}
            </p>`
          : nothing
      }`,
  )
  showMatches([], 0, 0, 0)
  render(nothing, byId('word-finder-request'))
  player.clip = null
}

function sensesOf(meaning: string): string[] {
  return meaning
    .toLowerCase()
    .split(/[;,/]/)
    .map((sense) => sense.trim().replace(/^(?:to|an?|the) /, ''))
}
