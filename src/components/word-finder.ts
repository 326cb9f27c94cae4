import { minutes } from '#client/player/minutes.ts'
import type { ClipPlayer } from '#client/player/clip-player.ts'
import type { ErrorBody } from '#contract/errors.ts'
import type { WordClipPage } from '#contract/word-clips.ts'
import type { FoundWord } from '#contract/word.ts'
import { closestOf } from '#kit/closest.ts'
import { chooseWords } from '#site/choose-words.ts'
import { highlighted } from './cards/clip-card.ts'
import { showClip } from './cards/player.ts'
import { combobox } from './combobox.ts'
import { button, byId, html, type Content } from './html.ts'
import { latestOnly } from './latest-only.ts'
import { findWord, matchingWords, previewClips, previewWords } from './previews.ts'
import { ask, sessionKey } from './service.ts'
import { completeWord } from './suggest.ts'

const form = byId<HTMLFormElement>('word-finder-form')
const languageSelect = byId<HTMLSelectElement>('word-finder-language')
const input = byId<HTMLInputElement>('word-finder-word')
const answer = byId('word-finder-answer')
const player = byId<ClipPlayer>('word-finder-player')
const choices = byId('word-finder-choices')
const moments = byId('word-finder-moments')

const momentsShown = 3
const suggestionsShown = 8

let words: Awaited<ReturnType<typeof previewWords>> = []
const latestSearch = latestOnly()
const latestSuggestions = latestOnly()
const showSuggestions = combobox(input, byId('word-finder-suggestions'), (option) => {
  void find(option.querySelector('strong')!.textContent)
})
input.addEventListener('input', () => void offer(wordsLike(input.value.trim())))
form.addEventListener('submit', (event) => {
  event.preventDefault()
  void find(input.value.trim())
})
languageSelect.addEventListener('change', () => void useLanguage())
void useLanguage().then(() => (byId('word-finder').dataset.ready = 'true'))

/** Shows the words to choose from in a language, and the first of them. */
async function useLanguage(): Promise<void> {
  const language = languageSelect.value
  input.lang = language
  words = await previewWords(language)
  const chosen = chooseWords(words)
  choices.replaceChildren(...chosen.map(wordButton))
  if (chosen[0] !== undefined) await find(chosen[0])
}

function wordButton(word: string): HTMLElement {
  const made = button(word, () => void find(word))
  made.lang = languageSelect.value
  return made
}

/** Offers words to complete what is typed. */
async function offer(found: Promise<FoundWord[]>): Promise<void> {
  // If the service does not answer, a search says why.
  const offered = await latestSuggestions(found.catch(() => []))
  showSuggestions(offered.slice(0, suggestionsShown).map(suggestion))
}

/** The words that match what is typed: of the previews or, with a key, of all. */
async function wordsLike(typed: string): Promise<FoundWord[]> {
  const isLongEnough = typed.length > 1 || /\P{Script=Latin}/u.test(typed)
  if (!isLongEnough) return []
  if (sessionKey() === '') return matchingWords(words, typed)
  return await completeWord(typed, { language: languageSelect.value, limit: '100' })
}

function suggestion({ word, level, meaning, matchedForm }: FoundWord): HTMLElement {
  const form = matchedForm === undefined ? '' : ` (${matchedForm})`
  const name = html`<strong lang="${languageSelect.value}">${word}</strong>`
  return html`<li>${name}${form}<small>${level} · ${meaning}</small></li>`
}

async function find(text: string): Promise<void> {
  void offer(Promise.resolve([]))
  input.value = text
  for (const choice of choices.children) choice.ariaPressed = String(choice.textContent === text)
  try {
    const page = await latestSearch(clipsWith(text))
    if (page === null) invite(text)
    else if ('error' in page) refuse(text, page)
    else show(text, page)
  } catch (error) {
    say('No response', `The request failed: ${(error as Error).message}`)
  }
}

/** The clips of the previews or, with a key, of the service; null where a key is needed. */
async function clipsWith(word: string): Promise<WordClipPage | ErrorBody | null> {
  const language = languageSelect.value
  const known = findWord(words, word)
  if (known) return await previewClips(language, known.wordId)
  if (sessionKey() === '') return null
  return await ask('/words/{word}/clips', { word, language, limit: String(momentsShown) })
}

function show(text: string, { items, totalCount, word }: WordClipPage): void {
  const clips = totalCount === 1 ? '1 clip' : `${totalCount} clips`
  const isForm = text.toLowerCase() !== word.word.toLowerCase()
  say(`${clips} with “${word.word}”${isForm ? ` (said as ${text})` : ''}`, `${word.level} · ${word.meaning}`)
  const buttons = items.slice(0, momentsShown).map(({ clip, occurrences }) => {
    const { tStart, text: line, start, end } = occurrences[0]!
    const load = () => {
      for (const each of buttons) each.ariaPressed = String(each === made)
      showClip(player, clip, { startS: tStart, wordId: word.wordId })
    }
    const content = [
      html`<span lang="${clip.language}">${highlighted(line, start, end)}</span>`,
      html`<small>${clip.level} · ${clip.title} · ${minutes(tStart)}</small>`,
    ]
    const made = button(content, () => {
      load()
      player.play()
    })
    return Object.assign(made, { load })
  })
  moments.replaceChildren(...buttons.map((each) => html`<li>${each}</li>`))
  player.hidden = buttons.length === 0
  buttons[0]?.load()
}

/** Without a key, only the words with a preview have an answer. */
function invite(text: string): void {
  say(`“${text}” needs a key`, [
    `Without a key, you can search only for the ${words.length} most frequent words. `,
    html`<a href="/signup/">Get a free trial key</a>`,
    ' and return to this page in the same tab to search for any word.',
  ])
  suggest(text)
}

function refuse(text: string, { error }: ErrorBody): void {
  say(`No clips for “${text}”`, error.message)
  if (error.code === 'not_found') suggest(text)
}

function suggest(text: string): void {
  const spellings = words.map(({ word }) => word)
  const meant = closestOf(text, spellings)
  if (meant !== undefined) answer.append(html`<p class="choices">Did you mean ${wordButton(meant)}?</p>`)
}

/** Says something in the place of an answer, with nothing to play. */
function say(title: string, text: Content): void {
  answer.replaceChildren(html`<h2>${title}</h2>`, html`<p class="note">${text}</p>`)
  moments.replaceChildren()
  player.clip = null
  player.hidden = true
}
