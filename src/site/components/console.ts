import { html, render } from 'lit-html'
import type { ErrorBody } from '#contract/errors.ts'
import type { RecordedAnswer, Recording } from '#site/build/site-input.ts'
import { targetOf } from '#site/build/target-of.ts'
import { answerView } from './answer-view.ts'
import { codeView } from './code-view.ts'
import { copyFrom } from './copy-button.ts'
import { byId, showIn } from './elements.ts'
import { keepSessionKey, maskKey, send, sessionKey, type Answer } from './service.ts'

/** The console: a form for a request, its response, and the previous requests. */

const form = byId<HTMLFormElement>('console-form')
const operationSelect = byId<HTMLSelectElement>('console-operation')
const recordingSelect = byId<HTMLSelectElement>('console-recording')
const keyInput = byId<HTMLInputElement>('console-key')
const shareButton = byId('console-share')

const historyLength = 20

/** The request in the form. */
type Request = ReturnType<typeof requestInForm>

/** The outcome of a request. A status of 0 means that no response arrived. */
interface Outcome extends Answer {
  /** The source of the response, as shown in the status bar. */
  source: string
}
const liveSource = 'live response'

/** Recorded responses, including those to invalid values. */
const samples = (await (await fetch('/samples.json')).json()) as {
  recordings: Recording[]
  refusals: RecordedAnswer[]
}
const requestHistory: { request: Request; outcome: Outcome }[] = []
/** The number of requests sent or opened so far. Responses to earlier requests are ignored. */
let turn = 0

keyInput.value = sessionKey()
operationSelect.addEventListener('change', () => open(operationSelect.value))
recordingSelect.addEventListener('change', () => {
  turn++
  fill(recordings()[recordingSelect.selectedIndex]?.parameters)
  showRecording()
})
keyInput.addEventListener('input', keepKey)
byId('console-forget').addEventListener('click', () => {
  keyInput.value = ''
  keepKey()
  keyInput.focus()
})
form.addEventListener('input', showRequest)
form.addEventListener('submit', (event) => {
  event.preventDefault()
  const invalidInput = [...form.querySelectorAll('input')].find(({ validity }) => validity.valueMissing)
  // Other invalid values are sent, because the response explains what is wrong.
  if (invalidInput) invalidInput.reportValidity()
  else void sendRequest()
})
// The fragment of the address contains the request in the form.
shareButton.addEventListener('click', () => void copyFrom(shareButton, location.href))
addEventListener('hashchange', openFragment)
if (!openFragment()) open(operationSelect.value)
byId('console').dataset.ready = 'true'

function recordings(): Recording[] {
  return samples.recordings.filter(({ operation }) => operation === operationSelect.value)
}

function requestInForm() {
  const { value: id, dataset } = operationSelect.selectedOptions[0]!
  const parameters: Record<string, string> = {}
  for (const [name, value] of new FormData(form)) {
    const text = (value as string).trim()
    // The values of check boxes are joined by commas.
    if (text !== '') parameters[name] = name in parameters ? `${parameters[name]},${text}` : text
  }
  return { id, path: dataset.path!, isKeyed: dataset.keyed !== undefined, parameters }
}

/** Opens the request in the address. Returns false if there is none. */
function openFragment(): boolean {
  const [id, query] = location.hash.slice(1).split(/\?(.*)/s)
  if (![...operationSelect.options].some(({ value }) => value === id)) return false
  open(id!, query === undefined ? undefined : Object.fromEntries(new URLSearchParams(query)))
  return true
}

/** Shows the form of an operation, by default with the values of its first recording. */
function open(id: string, parameters?: Record<string, string>): void {
  turn++
  operationSelect.value = id
  const fields = document.querySelector<HTMLTemplateElement>(`template[data-operation="${id}"]`)!
  byId('console-summary').textContent = operationSelect.selectedOptions[0]!.title
  byId('console-fields').replaceChildren(fields.content.cloneNode(true))
  recordingSelect.replaceChildren(...recordings().map(({ title }) => new Option(title)))
  showMode()
  fill(parameters ?? recordings()[0]?.parameters)
  showRecording()
}

/** Shows the recorded response to the request in the form, if there is one. Sends nothing. */
function showRecording(): void {
  const recording = findRecording(requestInForm())
  if (recording) return draw(recording)
  showIn('console-answer', html`<p class="none">Send the request to see the response here.</p>`)
}

/** Fills in these values, and clears all other fields. */
function fill(parameters: Record<string, string> = {}): void {
  for (const field of byId('console-fields').querySelectorAll<HTMLInputElement>('[name]')) {
    const value = parameters[field.name] ?? ''
    if (field.type === 'checkbox') field.checked = value.split(',').includes(field.value)
    else field.value = value
  }
  showRequest()
}

function keepKey(): void {
  keepSessionKey(keyInput.value.trim())
  showMode()
}

function showMode(): void {
  const key = sessionKey()
  byId('console-sample-mode').hidden = key !== ''
  byId('console-live-mode').hidden = key === ''
  byId('console-masked-key').textContent = maskKey(key)
  byId('console-cost').textContent = costOfSend(key)
  showIn('console-status', key === '' ? 'Sample mode' : 'Live mode')
}

function costOfSend(key: string): string {
  if (key === '') return 'Shows a recorded response'
  const { cost } = operationSelect.selectedOptions[0]!.dataset
  return cost === 'lookup' ? 'Uses 1 of your look-ups' : 'Uses no look-up'
}

function showRequest(): void {
  const { id, path, isKeyed, parameters } = requestInForm()
  showIn('console-code', codeView(targetOf(path, parameters), isKeyed))
  const query = new URLSearchParams(parameters).toString()
  // The address never contains the key.
  history.replaceState(null, '', query === '' ? `#${id}` : `#${id}?${query}`)
}

async function sendRequest(): Promise<void> {
  const mine = ++turn
  const request = requestInForm()
  showIn('console-status', 'Waiting for the response …')
  const outcome = sessionKey() === '' ? findRecording(request) : await live(request)
  if (mine !== turn) return
  if (outcome === null) return refuse()
  requestHistory.unshift({ request, outcome })
  requestHistory.splice(historyLength)
  show(outcome)
}

async function live({ path, isKeyed, parameters }: Request): Promise<Outcome> {
  try {
    const answer = await send(targetOf(path, parameters), { cache: 'no-store', isKeyed })
    return { ...answer, source: liveSource }
  } catch (error) {
    return { status: 0, headers: {}, body: {}, source: `the request failed: ${(error as Error).message}` }
  }
}

/**
 * Returns the recorded response to the same request, or to an out-of-range value of the same
 * parameter; null if there is none.
 */
function findRecording({ id, parameters }: Request): Outcome | null {
  const key = comparable(parameters)
  const invalidInput = form.querySelector<HTMLInputElement>('input:out-of-range')
  const isForInvalidInput = ({ operation, body }: RecordedAnswer) =>
    operation === id && (body as ErrorBody).error.parameter === invalidInput?.name
  const recording =
    recordings().find((recording) => comparable(recording.parameters) === key) ??
    (invalidInput && samples.refusals.find(isForInvalidInput))
  return recording ? { ...(recording as RecordedAnswer & Answer), source: 'recorded response' } : null
}

/** Returns parameters as text that does not depend on their order. */
function comparable(parameters: Record<string, string>): string {
  const query = new URLSearchParams(parameters)
  query.sort()
  return query.toString()
}

function show(outcome: Outcome): void {
  draw(outcome)
  showHistory()
  focusAnswer()
}

function draw(outcome: Outcome): void {
  showIn('console-status', statusLine(outcome))
  // The cursor includes the parameters that it is bound to; the other parameters stay the same.
  const nextPage = (cursor: string) => sendFilled({ ...requestInForm().parameters, cursor })
  showIn('console-answer', answerView(outcome, nextPage))
}

/** Returns the content of the status bar: the status, the source, and the window. */
function statusLine({ status, headers, source }: Outcome) {
  const kind = status === 0 ? 'failed' : status < 300 ? 'good' : status < 500 ? 'refused' : 'failed'
  const limit = headers['x-ratelimit-limit']
  const window =
    source === liveSource && limit !== undefined
      ? ` · ${headers['x-ratelimit-remaining']} of ${limit} left this minute`
      : ''
  return html`<span
    ><strong class="status ${kind}">${status || 'No response'}</strong> ${source}${window}</span
  >`
}

function refuse(): void {
  const examples = recordings().map(
    ({ title, parameters }) =>
      html`<li><button type="button" @click=${() => sendFilled(parameters)}>${title}</button></li>`,
  )
  showIn(
    'console-status',
    html`<span><strong class="status refused">Not sent</strong> because this request needs a key</span>`,
  )
  showIn('console-answer', byId<HTMLTemplateElement>('console-refusal').content.cloneNode(true))
  render(examples, byId('console-answer').querySelector('ul')!)
  focusAnswer()
}

function sendFilled(parameters: Record<string, string>): void {
  fill(parameters)
  void sendRequest()
}

function showHistory(): void {
  const lines = requestHistory.map(({ request: { id, path, parameters }, outcome }) => {
    const reopen = () => {
      open(id, parameters)
      show(outcome)
    }
    const label = `${outcome.status} GET ${targetOf(path, parameters)}`
    return html`<li><button type="button" @click=${reopen}>${label}</button></li>`
  })
  byId('console-history').hidden = false
  showIn('console-sent', lines)
}

/** Moves the focus to the response, and scrolls it into view unless it is near the top. */
function focusAnswer(): void {
  const title = byId('console-answer-title')
  title.focus({ preventScroll: true })
  const { top } = title.getBoundingClientRect()
  if (top < 0 || top > innerHeight / 2) title.scrollIntoView({ block: 'start' })
}
