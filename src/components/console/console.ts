import type { Recording } from '#site/site-input.ts'
import { targetOf } from '#site/target-of.ts'
import { byId, element } from '../cards/dom.ts'
import { keepSessionKey, maskKey, sessionKey } from '../session-key.ts'
import { answerView, statusLine } from './answer-view.ts'
import { codeView } from './code-view.ts'
import type { ConsoleAnswer, ConsoleData, ConsoleOperation, ConsoleRequest } from './console-data.ts'
import { copyFrom } from './copy-button.ts'
import { fillFields, parameterFields, readFields } from './parameter-form.ts'
import { parseFragment, recordingOf, refusalOf, toFragment } from './request-target.ts'
import { send } from './send.ts'

const form = byId<HTMLFormElement>('console-form')
const operationSelect = byId<HTMLSelectElement>('console-operation')
const recordingSelect = byId<HTMLSelectElement>('console-recording')
const keyInput = byId<HTMLInputElement>('console-key')
const shareButton = byId<HTMLButtonElement>('console-share')

const historyLength = 20

/** The console: a form for one request, its answer, and the requests before it. */

const data = (await (await fetch('/samples.json')).json()) as ConsoleData
const sent: { request: ConsoleRequest; answer: ConsoleAnswer }[] = []
/**
 * Counts the requests that were sent or opened: an answer that arrives after the next one is
 * dropped.
 */
let turn = 0

for (const { id, path } of data.operations)
  operationSelect.append(element('option', { value: id }, `GET ${path}`))
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
shareButton.addEventListener('click', () => {
  // The fragment names the request in the form.
  void copyFrom(shareButton, location.origin + location.pathname + location.hash)
})
addEventListener('hashchange', openFragment)
if (!openFragment()) chooseOperation()
if (sessionKey() === '') void showSample()
byId('console').dataset.ready = 'true'

function chosenOperation(): ConsoleOperation {
  return data.operations.find(({ id }) => id === operationSelect.value)!
}

function recordings(): Recording[] {
  return data.recordings.filter(({ operation }) => operation === operationSelect.value)
}

function requestInForm(): ConsoleRequest {
  return { operation: chosenOperation(), parameters: readFields(form) }
}

/** Opens the request that the address names. Gives false where it names none. */
function openFragment(): boolean {
  const request = parseFragment(location.hash.slice(1), data)
  if (request === null) return false
  operationSelect.value = request.operation.id
  showOperation()
  fill(location.hash.includes('?') ? request.parameters : recordings()[0]?.parameters)
  return true
}

function chooseOperation(): void {
  showOperation()
  chooseRecording()
}

function showOperation(): void {
  turn++
  byId('console-summary').textContent = chosenOperation().summary
  byId('console-fields').replaceChildren(...parameterFields(chosenOperation()))
  recordingSelect.replaceChildren(
    ...recordings().map(({ title }, i) => element('option', { value: String(i) }, title)),
  )
  byId('console-answer').replaceChildren(
    element('p', { class: 'none' }, 'Send the request to see the response here.'),
  )
  showMode()
}

function chooseRecording(): void {
  fill(recordings()[Number(recordingSelect.value)]?.parameters)
}

function fill(parameters: Record<string, string> = {}): void {
  fillFields(form, parameters)
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
      ? [
          'Without a key, you see recorded responses, and nothing is sent. ',
          element('a', { href: '/signup/' }, 'Get a key'),
        ]
      : [
          `Requests are live and use the key ${maskKey(key)}. The key is forgotten when you close this tab. `,
          element('button', { type: 'button', onclick: forgetKey }, 'Forget it now'),
        ]
  byId('console-mode').replaceChildren(...note)
  byId('console-status').replaceChildren(key === '' ? 'Sample mode' : 'Live mode')
}

function forgetKey(): void {
  keyInput.value = ''
  keepKey()
  keyInput.focus()
}

function showRequest(): void {
  const request = requestInForm()
  const { operation, parameters } = request
  const target = targetOf(operation.path, parameters)
  byId('console-code').replaceChildren(...codeView(location.origin, target, operation.isKeyed))
  history.replaceState(null, '', `#${toFragment(request)}`)
}

/** Shows the recorded answer to the request at hand, if there is one. */
async function showSample(): Promise<void> {
  const answer = await answerTo(requestInForm())
  if (answer) draw(answer)
}

async function sendRequest(): Promise<void> {
  const mine = ++turn
  const request = requestInForm()
  byId('console-status').replaceChildren('Waiting for the response …')
  const answer = await answerTo(request)
  if (mine !== turn) return
  if (answer === null) return refuse()
  sent.unshift({ request, answer })
  sent.splice(historyLength)
  show(answer)
}

/**
 * The recorded answer without a key, the live one with a key; null where nothing was recorded.
 */
async function answerTo(request: ConsoleRequest): Promise<ConsoleAnswer | null> {
  if (sessionKey() !== '') return await send(request, sessionKey())
  const recording = recordingOf(request, recordings()) ?? refusalOf(request, data.refusals)
  return recording ? { ...recording, source: 'recorded response' } : null
}

function show(answer: ConsoleAnswer): void {
  draw(answer)
  showHistory()
  focusAnswer()
}

function draw(answer: ConsoleAnswer): void {
  byId('console-status').replaceChildren(...statusLine(answer))
  // The cursor stands for the parameters it is bound to, so that the others can stay as they are.
  const nextPage = (cursor: string) => openRequest({ ...readFields(form), cursor })
  byId('console-answer').replaceChildren(...answerView(answer, nextPage))
}

function refuse(): void {
  byId('console-status').replaceChildren(
    element('strong', { class: 'status refused' }, 'Not sent'),
    ' because this request needs a key',
  )
  const examples = recordings().map(({ title, parameters }) =>
    element('li', {}, element('button', { type: 'button', onclick: () => openRequest(parameters) }, title)),
  )
  byId('console-answer').replaceChildren(
    element(
      'div',
      { class: 'error-card' },
      element('p', {}, element('strong', {}, 'Sample mode has no response to this request.')),
      element('p', {}, 'Enter a key to send it, or choose a recorded request:'),
      element('ul', {}, ...examples),
    ),
  )
  focusAnswer()
}

function openRequest(parameters: Record<string, string>): void {
  fill(parameters)
  void sendRequest()
}

function showHistory(): void {
  const lines = sent.map(({ request, answer }) => {
    const onclick = () => {
      operationSelect.value = request.operation.id
      showOperation()
      fill(request.parameters)
      show(answer)
    }
    const label = `${answer.status} GET ${targetOf(request.operation.path, request.parameters)}`
    return element('li', {}, element('button', { type: 'button', onclick }, label))
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
