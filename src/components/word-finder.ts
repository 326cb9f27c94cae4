import { minutes } from '#client/player/lines.ts'
import type { ClipPlayer } from '#client/player/clip-player.ts'
import type { ErrorBody } from '#contract/errors.ts'
import type { WordClipPage } from '#contract/word-clips.ts'
import type { FoundWord, WordPage } from '#contract/word.ts'
import { closestOf } from '#kit/closest.ts'
import { askService, unlessError } from './ask-service.ts'
import { byId, element } from './cards/dom.ts'
import { highlighted } from './cards/highlight.ts'
import { showClip } from './cards/player.ts'
import { combobox } from './combobox.ts'
import { chooseWords, findWord, matchingWords, previewClips, previewWords } from './previews.ts'
import { sessionKey } from './session-key.ts'
import { suggester } from './suggest.ts'

const form = byId<HTMLFormElement>('word-finder-form')
const languageSelect = byId<HTMLSelectElement>('word-finder-language')
const input = byId<HTMLInputElement>('word-finder-word')
const answer = byId('word-finder-answer')
const player = byId<ClipPlayer>('word-finder-player')
const choices = byId('word-finder-choices')
const moments = byId('word-finder-moments')

const choiceLevels = ['B1', 'A1', 'A2', 'B2', 'C1']
const momentsShown = 3
const suggestionsShown = 8

let words: Awaited<ReturnType<typeof previewWords>> = []
/** Counts the searches: an answer that comes after the next search was started is dropped. */
let searches = 0

let complete = suggester(askForWords)
const showSuggestions = combobox(input, byId('word-finder-suggestions'), (option) => {
  void find(option.querySelector('strong')!.textContent)
})
input.addEventListener('input', () => void suggestWords())
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
  complete = suggester(askForWords)
  words = await previewWords(language)
  const chosen = chooseWords(words, choiceLevels)
  choices.replaceChildren(...chosen.map(wordButton))
  if (chosen[0] !== undefined) await find(chosen[0])
}

function wordButton(word: string): HTMLElement {
  const onclick = () => void find(word)
  return element('button', { type: 'button', lang: languageSelect.value, onclick }, word)
}

/** Offers the words that match what has been typed: of the previews or, with a key, of all. */
async function suggestWords(): Promise<void> {
  const turn = searches
  const typed = input.value.trim()
  const isLongEnough = typed.length > 1 || /\P{Script=Latin}/u.test(typed)
  try {
    const found = !isLongEnough
      ? []
      : sessionKey() === ''
        ? matchingWords(words, typed)
        : await complete(typed)
    if (turn === searches && typed === input.value.trim())
      showSuggestions(found.slice(0, suggestionsShown).map(suggestion))
  } catch {
    // Something else has been typed since, or the service does not answer: a search says why.
    if (typed === input.value.trim()) showSuggestions([])
  }
}

function suggestion({ word, level, meaning, matchedForm }: FoundWord): HTMLElement {
  const form = matchedForm === undefined ? '' : ` (${matchedForm})`
  const name = element('strong', { lang: languageSelect.value }, word)
  return element('li', {}, name, form, element('small', {}, `${level} · ${meaning}`))
}

async function askForWords(q: string, signal: AbortSignal): Promise<WordPage> {
  const query = { q, language: languageSelect.value, limit: '100' }
  return unlessError(await askService<WordPage>('/words', query, signal))
}

async function find(text: string): Promise<void> {
  const turn = ++searches
  showSuggestions([])
  const language = languageSelect.value
  input.value = text
  for (const choice of choices.children) choice.ariaPressed = String(choice.textContent === text)
  const known = findWord(words, text)
  try {
    if (!known && sessionKey() === '') return invite(text)
    const page = known ? await previewClips(language, known.wordId) : await askForClips(language, text)
    if (turn !== searches) return
    if ('error' in page) refuse(text, page)
    else show(text, page)
  } catch (error) {
    if (turn === searches) say('No response', `The request failed: ${(error as Error).message}`)
  }
}

function askForClips(language: string, word: string): Promise<WordClipPage | ErrorBody> {
  return askService('/words/{word}/clips', { word, language, limit: String(momentsShown) })
}

function show(text: string, { items, totalCount, word }: WordClipPage): void {
  const clips = totalCount === 1 ? '1 clip' : `${totalCount} clips`
  const isForm = text.toLowerCase() !== word.word.toLowerCase()
  answer.replaceChildren(
    element('h2', {}, `${clips} with “${word.word}”${isForm ? ` (said as ${text})` : ''}`),
    element('p', { class: 'note' }, `${word.level} · ${word.meaning}`),
  )
  const buttons = items.slice(0, momentsShown).map(({ clip, occurrences }) => {
    const { tStart, text: line, start, end } = occurrences[0]!
    const button = element(
      'button',
      { type: 'button' },
      element('span', { lang: clip.language }, ...highlighted(line, start, end)),
      element('small', {}, `${clip.level} · ${clip.title} · ${minutes(tStart)}`),
    )
    const load = () => {
      for (const each of buttons) each.ariaPressed = String(each === button)
      showClip(player, clip, { startS: tStart, wordId: word.wordId })
    }
    button.addEventListener('click', () => {
      load()
      player.play()
    })
    return Object.assign(button, { load })
  })
  moments.replaceChildren(...buttons.map((button) => element('li', {}, button)))
  buttons[0]?.load()
  setPlayable(buttons.length > 0)
}

/** Without a key, only the words with a preview have an answer. */
function invite(text: string): void {
  say(
    `“${text}” needs a key`,
    `Without a key, you can search only for the ${words.length} most frequent words. `,
    element('a', { href: '/signup/' }, 'Get a free trial key'),
    ' and return to this page in the same tab to search for any word.',
  )
  suggest(text)
}

function refuse(text: string, { error }: ErrorBody): void {
  say(`No clips for “${text}”`, error.message)
  if (error.code === 'not_found') suggest(text)
}

function suggest(text: string): void {
  const spellings = words.map(({ word }) => word)
  const meant = closestOf(text, spellings)
  if (meant !== undefined)
    answer.append(element('p', { class: 'choices' }, 'Did you mean ', wordButton(meant), '?'))
}

function say(title: string, ...text: (string | Node)[]): void {
  answer.replaceChildren(element('h2', {}, title), element('p', { class: 'note' }, ...text))
  moments.replaceChildren()
  setPlayable(false)
}

function setPlayable(isPlayable: boolean): void {
  if (!isPlayable) player.clip = null
  player.hidden = !isPlayable
}
