import type { ErrorBody } from '#contract/errors.ts'
import type { WordClipPage } from '#contract/word-clips.ts'
import { answerCards } from './cards/answer-cards.ts'
import { byId, element } from './cards/dom.ts'
import { sessionKey } from './session-key.ts'

const form = byId<HTMLFormElement>('word-finder-form')
const input = byId<HTMLInputElement>('word-finder-word')
const answer = byId('word-finder-answer')
const { language, answers } = JSON.parse(byId('word-finder-data').textContent!) as {
  language: string
  answers: Record<string, WordClipPage>
}

/** The recorded answers by word, in lower case. */
const recorded = new Map(Object.entries(answers).map(([word, page]) => [word.toLowerCase(), page]))

/** Counts the searches: an answer that comes after the next search was started is dropped. */
let searches = 0

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void find(input.value.trim())
})
for (const button of document.querySelectorAll<HTMLButtonElement>('#word-finder [data-word]')) {
  button.addEventListener('click', () => {
    input.value = button.dataset.word!
    void find(input.value)
  })
}
const [first] = Object.entries(answers)
if (first) show(...first)
byId('word-finder').dataset.ready = 'true'

async function find(word: string): Promise<void> {
  const turn = ++searches
  const page = recorded.get(word.toLowerCase())
  if (page) return show(word, page)
  const key = sessionKey()
  if (key === '') return invite(word)
  try {
    const query = new URLSearchParams({ language, limit: '3' })
    const response = await fetch(`/v1/words/${encodeURIComponent(word)}/clips?${query}`, {
      headers: { Authorization: `Bearer ${key}` },
      cache: 'no-store',
    })
    const body = (await response.json()) as WordClipPage | ErrorBody
    if (turn !== searches) return
    if ('error' in body) answer.replaceChildren(heading(`No clips for “${word}”`), ...answerCards(body))
    else show(word, body)
  } catch (error) {
    if (turn === searches) say(`The request failed: ${(error as Error).message}`)
  }
}

function show(word: string, { items, totalCount, word: entry }: WordClipPage): void {
  const clips = totalCount === 1 ? '1 clip says' : `${totalCount} clips say`
  const [cards] = answerCards({ items })
  answer.replaceChildren(
    heading(`${clips} “${word}”`),
    element('p', { class: 'note' }, `${entry.level} · ${entry.meaning}`),
    cards!,
  )
  for (const button of document.querySelectorAll<HTMLElement>('#word-finder [data-word]'))
    button.ariaPressed = String(button.dataset.word === word)
}

/** Without a key only the recorded words have an answer. */
function invite(word: string): void {
  answer.replaceChildren(
    heading(`“${word}” needs a key`),
    element(
      'p',
      { class: 'note' },
      'Without a key, only the words above have an answer. ',
      element('a', { href: '/signup/' }, 'Get a free trial key'),
      ', then come back in this tab and search for any word.',
    ),
  )
}

function say(text: string): void {
  answer.replaceChildren(element('p', { class: 'note' }, text))
}

function heading(text: string): HTMLElement {
  return element('h2', {}, text)
}
