import { html, nothing, render } from 'lit-html'
import { minutes } from '#client/player/minutes.ts'
import type { ClipPlayer } from '#client/player/clip-player.ts'
import type { ErrorBody } from '#contract/errors.ts'
import type { WordClipPage } from '#contract/word-clips.ts'
import type { FoundWord } from '#contract/word.ts'
import { closestOf } from '#kit/closest.ts'
import { chooseWords } from '#site/build/choose-words.ts'
import { highlighted } from './cards/clip-card.ts'
import { showClip } from './cards/player.ts'
import { combobox, type Option } from './combobox.ts'
import { byId, showIn } from './elements.ts'
import { latestOnly } from './latest-only.ts'
import { findWord, matchingWords, previewClips, previewWords } from './previews.ts'
import { ask, sessionKey } from './service.ts'
import { completeWord } from './suggest.ts'

const form = byId<HTMLFormElement>('word-finder-form')
const languageSelect = byId<HTMLSelectElement>('word-finder-language')
const input = byId<HTMLInputElement>('word-finder-word')
const player = byId<ClipPlayer>('word-finder-player')

type WordClipItem = WordClipPage['items'][number]

const momentsShown = 3
const suggestionsShown = 8

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
  return await ask('/words/{word}/clips', { word, language, limit: String(momentsShown) })
}

function show(text: string, { items, totalCount, word }: WordClipPage): void {
  const clips = totalCount === 1 ? '1 clip' : `${totalCount} clips`
  const isForm = text.toLowerCase() !== word.word.toLowerCase()
  say(`${clips} with “${word.word}”${isForm ? ` (said as ${text})` : ''}`, `${word.level} · ${word.meaning}`)
  showMoments(items.slice(0, momentsShown), word.wordId, items[0])
}

/** Shows the moments at which a word is said, and the selected clip in the player. */
function showMoments(items: readonly WordClipItem[], wordId: number, selectedItem?: WordClipItem): void {
  const lines = items.map((item) => {
    const { clip, occurrences } = item
    const { text, start, end, tStart } = occurrences[0]!
    const play = () => {
      showMoments(items, wordId, item)
      player.play()
    }
    return html`<li>
      <button type="button" aria-pressed=${item === selectedItem} @click=${play}>
        <span lang=${clip.language}>${highlighted(text, start, end)}</span>
        <small>${clip.level} · ${clip.title} · ${minutes(tStart)}</small>
      </button>
    </li>`
  })
  render(lines, byId('word-finder-moments'))
  player.hidden = selectedItem === undefined
  if (selectedItem) showClip(player, selectedItem.clip, selectedItem.occurrences[0]!.tStart, wordId)
}

/** Explains that a search for this word needs a key. */
function invite(text: string): void {
  say(
    `“${text}” needs a key`,
    html`Without a key, you can search only for the ${words.length} most frequent words.
      <a href="/signup/">Get a free trial key</a> and return to this page in the same tab to search for any
      word.`,
    text,
  )
}

/** Shows a message instead of clips, and suggests a similar word that has a preview. */
function say(title: string, text: unknown, word = ''): void {
  const closestWord = closestOf(
    word,
    words.map(({ word }) => word),
  )
  showIn(
    'word-finder-answer',
    html`<h2>${title}</h2>
      <p class="note">${text}</p>
      ${closestWord && html`<p class="choices">Did you mean ${wordButton(closestWord)}?</p>`}`,
  )
  showMoments([], 0)
  player.clip = null
}
