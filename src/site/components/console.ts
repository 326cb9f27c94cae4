import { html, render } from 'lit-html'
import type { OperationId } from '#client/operations.ts'
import type { ErrorBody } from '#contract/errors.ts'
import type { RecordedAnswer, Recording } from '#site/build/site-input.ts'
import { targetOf } from '#site/target-of.ts'
import { answerView } from './answer-view.ts'
import { codeView } from './code-view.ts'
import { copyFrom } from './copy-button.ts'
import { byId, showIn } from './elements.ts'
import { keepSessionKey, maskKey, send, sessionKey, type Answer, type Request } from './service.ts'
import { eastAsianLanguage } from './text-language.ts'

/**
 * The console: a form for a request, its response, and the previous requests.
 *
 * The fragment of the address contains the request in the form, but never the key. In the session
 * history, each request whose response was shown has an entry with the state `answeredState`:
 * changing the fields then adds an entry, and until the next response, further changes replace it.
 */

const form = byId<HTMLFormElement>('console-form')
const operationSelect = byId<HTMLSelectElement>('console-operation')
const recordingSelect = byId<HTMLSelectElement>('console-recording')
const keyInput = byId<HTMLInputElement>('console-key')
const shareButton = byId('console-share')

const historyLength = 20
const answeredState = 'answered'

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
operationSelect.addEventListener('change', () => {
  open(operationSelect.value)
  keepRequest()
  showResponse()
})
recordingSelect.addEventListener('change', () => {
  turn++
  fill(recordings()[recordingSelect.selectedIndex]?.parameters)
  keepRequest()
  showResponse()
})
keyInput.addEventListener('input', keepKey)
byId('console-forget').addEventListener('click', () => {
  keyInput.value = ''
  keepKey()
  keyInput.focus()
})
byId('console-fields').addEventListener('input', ({ target }) => {
  if ((target as HTMLInputElement).ariaInvalid) clearFault()
  showRequest()
  keepRequest()
})
form.addEventListener('submit', (event) => {
  event.preventDefault()
  const invalidInput = [...form.querySelectorAll('input')].find(({ validity }) => validity.valueMissing)
  // Other invalid values are sent, because the response explains what is wrong.
  if (invalidInput) invalidInput.reportValidity()
  else void sendRequest()
})
shareButton.addEventListener('click', () => void copyFrom(shareButton, location.href))
addEventListener('popstate', openAddress)
openAddress()
byId('console').dataset.ready = 'true'

function recordings(): Recording[] {
  return samples.recordings.filter(({ operation }) => operation === operationSelect.value)
}

function requestInForm(): Request {
  const parameters: Record<string, string> = {}
  for (const [name, value] of new FormData(form)) {
    const text = (value as string).trim()
    // The values of check boxes are joined by commas.
    if (text !== '') parameters[name] = name in parameters ? `${parameters[name]},${text}` : text
  }
  return [operationSelect.value as OperationId, parameters]
}

/** Returns the fragment with the request in the form. */
function fragment(): string {
  return fragmentOf(requestInForm())
}

function fragmentOf([id, parameters]: Request): string {
  const query = new URLSearchParams(parameters).toString()
  return query === '' ? `#${id}` : `#${id}?${query}`
}

/** Puts the request in the form into the address, if it differs. */
function keepRequest(): void {
  if (fragment() === location.hash) return
  if (history.state === answeredState) history.pushState(null, '', fragment())
  else history.replaceState(null, '', fragment())
}

/** Opens the request in the address. */
function openAddress(): void {
  const [id = '', query] = location.hash.slice(1).split(/\?(.*)/s)
  const isOperation = [...operationSelect.options].some(({ value }) => value === id)
  if (isOperation) open(id, query === undefined ? undefined : Object.fromEntries(new URLSearchParams(query)))
  else open(operationSelect.value)
  showResponse()
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
}

/**
 * Shows the last response to the request in the form or, if there was none, a recorded response.
 * Sends nothing.
 */
function showResponse(): void {
  const isSame = ({ request }: { request: Request }) => fragmentOf(request) === fragment()
  const outcome = requestHistory.find(isSame)?.outcome ?? findRecording(requestInForm())
  history.replaceState(outcome ? answeredState : null, '', fragment())
  if (outcome) draw(outcome)
  else showIn('console-answer', html`<p class="none">Send the request to see the response here.</p>`)
}

/** Fills in these values, clears all other fields, and unfolds the fields if one has a value. */
function fill(parameters: Record<string, string> = {}): void {
  clearFault()
  for (const field of byId('console-fields').querySelectorAll<HTMLInputElement>('[name]')) {
    const value = parameters[field.name] ?? ''
    if (field.type === 'checkbox') field.checked = value.split(',').includes(field.value)
    else field.value = value
  }
  showRequest()
  const moreFields = byId('console-fields').querySelector('details')
  if (moreFields) moreFields.open = countSet(moreFields) > 0
}

/** Returns how many parameters have a value in these fields. */
function countSet(fields: Element): number {
  const [, parameters] = requestInForm()
  const names = [...fields.querySelectorAll<HTMLInputElement>('[name]')].map(({ name }) => name)
  return new Set(names.filter((name) => name in parameters)).size
}

function keepKey(): void {
  clearFault()
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
  if (key === '') return 'Send shows a recorded response'
  const { cost } = operationSelect.selectedOptions[0]!.dataset
  return cost === 'lookup' ? 'Send uses 1 of your look-ups' : 'Send uses no look-up'
}

function showRequest(): void {
  const request = requestInForm()
  showIn('console-code', codeView(request))
  const { language = byId('console').dataset.defaultLanguage! } = request[1]
  for (const field of byId('console-fields').querySelectorAll<HTMLInputElement>('input[type=text]'))
    field.lang = eastAsianLanguage(field.value, language) ?? 'en'
  const setCount = byId('console-fields').querySelector('[data-set-count]')
  if (!setCount) return
  const count = countSet(setCount.closest('details')!)
  setCount.textContent = count === 0 ? '' : ` (${count} set)`
}

async function sendRequest(): Promise<void> {
  const mine = ++turn
  const request = requestInForm()
  clearFault()
  history.replaceState(answeredState, '', fragment())
  showIn('console-status', 'Waiting for the response …')
  const outcome = sessionKey() === '' ? findRecording(request) : await live(request)
  if (mine !== turn) return
  if (outcome === null) return refuse()
  requestHistory.unshift({ request, outcome })
  requestHistory.splice(historyLength)
  show(outcome)
}

async function live(request: Request): Promise<Outcome> {
  try {
    const answer = await send(request, { cache: 'no-store' })
    return { ...answer, source: liveSource }
  } catch (error) {
    return { status: 0, headers: {}, body: {}, source: `the request failed: ${(error as Error).message}` }
  }
}

/**
 * Returns the recorded response to the same request. If there is none and a value in the form is
 * out of range, returns a recorded error for the same parameter.
 */
function findRecording([id, parameters]: Request): Outcome | null {
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
  const refusedField = draw(outcome)
  showHistory()
  if (refusedField) focusField(refusedField)
  else focusAnswer()
}

/** Shows the outcome of the request in the form. Returns the field that was refused, if any. */
function draw(outcome: Outcome): HTMLElement | undefined {
  showIn('console-status', statusLine(outcome))
  // The cursor includes the parameters that it is bound to; the other parameters stay the same.
  const nextPage = (cursor: string) => sendFilled({ ...requestInForm()[1], cursor })
  const { defaultLanguage = '', defaultGloss = '' } = byId('console').dataset
  const { language = defaultLanguage, gloss = defaultGloss } = requestInForm()[1]
  showIn('console-answer', answerView(outcome, { language, gloss }, nextPage))
  return markFault(outcome)
}

/** Marks the field that a response refuses, with the message next to it. Returns the field. */
function markFault({ body }: Outcome): HTMLElement | undefined {
  if (!('error' in body)) return
  const { code, message, parameter } = body.error
  const fields = [...form.querySelectorAll<HTMLInputElement>('input, select')].filter((field) => {
    if (code === 'invalid_key') return field === keyInput
    // The resource that was not found is named by the required parameter.
    if (code === 'not_found') return field.required
    return parameter !== undefined && field.name === parameter
  })
  const [first] = fields
  if (!first) return
  for (const field of fields) field.ariaInvalid = 'true'
  const note = first.closest('.field')!.querySelector<HTMLElement>('.field-fault')!
  note.textContent = message
  note.hidden = false
  const moreFields = first.closest('details')
  if (moreFields) moreFields.open = true
  return first
}

function clearFault(): void {
  for (const field of form.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid')
  for (const note of form.querySelectorAll<HTMLElement>('.field-fault')) note.hidden = true
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
  keepRequest()
  void sendRequest()
}

function showHistory(): void {
  const lines = requestHistory.map(({ request, outcome }) => {
    const reopen = () => {
      open(...request)
      keepRequest()
      history.replaceState(answeredState, '')
      show(outcome)
    }
    const label = `${outcome.status} GET ${targetOf(...request)}`
    return html`<li><button type="button" @click=${reopen}>${label}</button></li>`
  })
  byId('console-history').hidden = false
  showIn('console-sent', lines)
}

/** Moves the focus to a field, and scrolls the field and the message next to it into view. */
function focusField(field: HTMLElement): void {
  field.focus({ preventScroll: true })
  field.closest('.field')!.scrollIntoView({ block: 'nearest' })
}

/** Moves the focus to the response, and scrolls it into view unless it is near the top. */
function focusAnswer(): void {
  const title = byId('console-answer-title')
  title.focus({ preventScroll: true })
  const { top } = title.getBoundingClientRect()
  if (top < 0 || top > innerHeight / 2) title.scrollIntoView({ block: 'start' })
}
