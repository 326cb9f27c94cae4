import type { ErrorBody } from '#contract/errors.ts'
import type { RecordedAnswer, Recording } from '#site/site-input.ts'
import { targetOf } from '#site/target-of.ts'
import { answerView } from './answer-view.ts'
import { codeView } from './code-view.ts'
import { copyFrom } from './copy-button.ts'
import { button, byId, html } from './html.ts'
import { keepSessionKey, maskKey, send, sessionKey, type Answer } from './service.ts'

/** The console: a form for one request, its answer, and the requests before it. */

const form = byId<HTMLFormElement>('console-form')
const operationSelect = byId<HTMLSelectElement>('console-operation')
const recordingSelect = byId<HTMLSelectElement>('console-recording')
const keyInput = byId<HTMLInputElement>('console-key')
const shareButton = byId<HTMLButtonElement>('console-share')

const historyLength = 20

/** A request as the form holds it. */
interface Request {
  operation: Operation
  parameters: Record<string, string>
}

interface Operation {
  id: string
  path: string
  isKeyed: boolean
}

/** What came of a request. A status of 0 stands for no answer at all. */
interface Outcome extends Answer {
  /** Where the answer comes from, in a few words. */
  source: string
}
const liveSource = 'live response'

/** What `/samples.json` holds. */
interface Samples {
  recordings: Recording[]
  /** What the service answers to wrong values. */
  refusals: RecordedAnswer[]
}

const samples = (await (await fetch('/samples.json')).json()) as Samples
const sent: { request: Request; outcome: Outcome }[] = []
/**
 * Counts the requests that were sent or opened: an answer that arrives after the next one is
 * dropped.
 */
let turn = 0

keyInput.value = sessionKey()
operationSelect.addEventListener('change', chooseOperation)
recordingSelect.addEventListener('change', chooseRecording)
keyInput.addEventListener('input', keepKey)
form.addEventListener('input', showRequest)
form.addEventListener('submit', (event) => {
  event.preventDefault()
  const missing = [...form.querySelectorAll('input')].find(({ validity }) => validity.valueMissing)
  // Other wrong values are sent: the answer says what is wrong with them.
  if (missing) missing.reportValidity()
  else void sendRequest()
})
// The fragment names the request in the form.
shareButton.addEventListener('click', () => void copyFrom(shareButton, location.href))
addEventListener('hashchange', openFragment)
if (!openFragment()) chooseOperation()
if (sessionKey() === '') drawRecorded()
byId('console').dataset.ready = 'true'

function recordings(): Recording[] {
  return samples.recordings.filter(({ operation }) => operation === operationSelect.value)
}

function requestInForm(): Request {
  const { value: id, dataset } = operationSelect.selectedOptions[0]!
  const operation = { id, path: dataset.path!, isKeyed: dataset.keyed !== undefined }
  const parameters: Record<string, string> = {}
  for (const [name, value] of new FormData(form)) {
    const text = (value as string).trim()
    // The values of check boxes are joined by commas.
    if (text !== '') parameters[name] = name in parameters ? `${parameters[name]},${text}` : text
  }
  return { operation, parameters }
}

/** Opens the request that the address names. Gives false where it names none. */
function openFragment(): boolean {
  const [id, query] = location.hash.slice(1).split(/\?(.*)/s)
  if (![...operationSelect.options].some(({ value }) => value === id)) return false
  operationSelect.value = id!
  showOperation()
  fill(query === undefined ? recordings()[0]?.parameters : Object.fromEntries(new URLSearchParams(query)))
  return true
}

function chooseOperation(): void {
  showOperation()
  chooseRecording()
}

function showOperation(): void {
  turn++
  const id = operationSelect.value
  const fields = document.querySelector<HTMLTemplateElement>(`template[data-operation="${id}"]`)!
  byId('console-summary').textContent = operationSelect.selectedOptions[0]!.title
  byId('console-fields').replaceChildren(fields.content.cloneNode(true))
  recordingSelect.replaceChildren(...recordings().map(({ title }, i) => new Option(title, String(i))))
  byId('console-answer').replaceChildren(html`<p class="none">Send the request to see the response here.</p>`)
  showMode()
}

function chooseRecording(): void {
  fill(recordings()[Number(recordingSelect.value)]?.parameters)
}

/** Fills in the given values and empties all other fields. */
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
  const note =
    key === ''
      ? html`<span>
          Without a key, you see recorded responses, and nothing is sent. <a href="/signup/">Get a key</a>
        </span>`
      : html`<span>
          Requests are live and use the key ${maskKey(key)}. The key is forgotten when you close this tab.
          ${button('Forget it now', forgetKey)}
        </span>`
  byId('console-mode').replaceChildren(note)
  byId('console-status').replaceChildren(key === '' ? 'Sample mode' : 'Live mode')
}

function forgetKey(): void {
  keyInput.value = ''
  keepKey()
  keyInput.focus()
}

function showRequest(): void {
  const { operation, parameters } = requestInForm()
  const target = targetOf(operation.path, parameters)
  byId('console-code').replaceChildren(...codeView(target, operation.isKeyed))
  const query = new URLSearchParams(parameters).toString()
  // The key is never in it.
  history.replaceState(null, '', query === '' ? `#${operation.id}` : `#${operation.id}?${query}`)
}

async function sendRequest(): Promise<void> {
  const mine = ++turn
  const request = requestInForm()
  byId('console-status').replaceChildren('Waiting for the response …')
  const outcome = sessionKey() === '' ? recorded(request) : await live(request)
  if (mine !== turn) return
  if (outcome === null) return refuse()
  sent.unshift({ request, outcome })
  sent.splice(historyLength)
  show(outcome)
}

async function live({ operation: { path, isKeyed }, parameters }: Request): Promise<Outcome> {
  try {
    const answer = await send(targetOf(path, parameters), { cache: 'no-store', isKeyed })
    return { ...answer, source: liveSource }
  } catch (error) {
    const source = `the request failed: ${(error as Error).message}`
    return { status: 0, headers: {}, body: {}, source }
  }
}

/**
 * The recorded answer to exactly this request, or to a number out of its range; null where there is
 * none.
 */
function recorded({ operation, parameters }: Request): Outcome | null {
  const wanted = comparable(parameters)
  const wrong = form.querySelector<HTMLInputElement>('input:out-of-range')?.name
  const found =
    recordings().find((recording) => comparable(recording.parameters) === wanted) ??
    samples.refusals.find(
      ({ operation: id, body }) =>
        wrong !== undefined && id === operation.id && (body as ErrorBody).error.parameter === wrong,
    )
  return found ? { ...(found as RecordedAnswer & Answer), source: 'recorded response' } : null
}

/** Parameters as a text that does not depend on their order. */
function comparable(parameters: Record<string, string>): string {
  const query = new URLSearchParams(parameters)
  query.sort()
  return query.toString()
}

/** Shows the recorded answer to the request at hand, if there is one. */
function drawRecorded(): void {
  const outcome = recorded(requestInForm())
  if (outcome) draw(outcome)
}

function show(outcome: Outcome): void {
  draw(outcome)
  showHistory()
  focusAnswer()
}

function draw(outcome: Outcome): void {
  byId('console-status').replaceChildren(statusLine(outcome))
  // The cursor stands for the parameters it is bound to, so that the others can stay as they are.
  const nextPage = (cursor: string) => openRequest({ ...requestInForm().parameters, cursor })
  byId('console-answer').replaceChildren(...answerView(outcome, nextPage))
}

/** The line in the bar: the status, where the answer comes from, and the window. */
function statusLine({ status, headers, source }: Outcome): HTMLElement {
  const kind = status === 0 ? 'failed' : status < 300 ? 'good' : status < 500 ? 'refused' : 'failed'
  const limit = headers['x-ratelimit-limit']
  const window =
    source === liveSource && limit !== undefined
      ? ` · ${headers['x-ratelimit-remaining']} of ${limit} left this minute`
      : ''
  const name = status === 0 ? 'No response' : status
  return html`<span><strong class="status ${kind}">${name}</strong> ${source}${window}</span>`
}

function refuse(): void {
  byId('console-status').replaceChildren(
    html`<span><strong class="status refused">Not sent</strong> because this request needs a key</span>`,
  )
  const examples = recordings().map(
    ({ title, parameters }) => html`<li>${button(title, () => openRequest(parameters))}</li>`,
  )
  byId('console-answer').replaceChildren(
    html`<div class="error-card">
      <p><strong>Sample mode has no response to this request.</strong></p>
      <p>Enter a key to send it, or choose a recorded request:</p>
      <ul>
        ${examples}
      </ul>
    </div>`,
  )
  focusAnswer()
}

function openRequest(parameters: Record<string, string>): void {
  fill(parameters)
  void sendRequest()
}

function showHistory(): void {
  const lines = sent.map(({ request: { operation, parameters }, outcome }) => {
    const open = () => {
      operationSelect.value = operation.id
      showOperation()
      fill(parameters)
      show(outcome)
    }
    return html`<li>${button(`${outcome.status} GET ${targetOf(operation.path, parameters)}`, open)}</li>`
  })
  byId('console-history').hidden = false
  byId('console-history')
    .querySelector('ol')!
    .replaceChildren(...lines)
}

/** Moves the focus to the answer, and the answer into view where it is not at the top. */
function focusAnswer(): void {
  const title = byId('console-answer-title')
  title.focus({ preventScroll: true })
  const { top } = title.getBoundingClientRect()
  if (top < 0 || top > innerHeight / 2) title.scrollIntoView({ block: 'start' })
}
