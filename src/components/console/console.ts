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
export class Console {
  readonly #data: ConsoleData
  readonly #history: { request: ConsoleRequest; answer: ConsoleAnswer }[] = []
  /**
   * Counts the requests that were sent or opened: an answer that arrives after the next one is
   * dropped.
   */
  #turn = 0

  constructor(data: ConsoleData) {
    this.#data = data
  }

  start(): void {
    for (const { id, path } of this.#data.operations)
      operationSelect.append(element('option', { value: id }, `GET ${path}`))
    keyInput.value = sessionKey()
    operationSelect.addEventListener('change', () => this.#chooseOperation())
    recordingSelect.addEventListener('change', () => this.#chooseRecording())
    keyInput.addEventListener('input', () => this.#keepKey())
    form.addEventListener('input', () => this.#showRequest())
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      const missing = [...form.querySelectorAll('input')].find(({ validity }) => validity.valueMissing)
      // Other wrong values are sent: the answer says what is wrong with them.
      if (missing) missing.reportValidity()
      else void this.#send()
    })
    shareButton.addEventListener('click', () => void copyFrom(shareButton, this.#link()))
    addEventListener('hashchange', () => this.#openFragment())
    if (!this.#openFragment()) this.#chooseOperation()
    if (sessionKey() === '') void this.#showSample()
  }

  get #operation(): ConsoleOperation {
    return this.#data.operations.find(({ id }) => id === operationSelect.value)!
  }

  get #recordings(): Recording[] {
    return this.#data.recordings.filter(({ operation }) => operation === operationSelect.value)
  }

  get #request(): ConsoleRequest {
    return { operation: this.#operation, parameters: readFields(form) }
  }

  #link(): string {
    return `${location.origin}${location.pathname}#${toFragment(this.#request)}`
  }

  /** Opens the request that the address names. Gives false where it names none. */
  #openFragment(): boolean {
    const request = parseFragment(location.hash.slice(1), this.#data)
    if (request === null) return false
    operationSelect.value = request.operation.id
    this.#showOperation()
    const example = this.#recordings[0]?.parameters ?? {}
    fillFields(form, location.hash.includes('?') ? request.parameters : example)
    this.#showRequest()
    return true
  }

  #chooseOperation(): void {
    this.#showOperation()
    this.#chooseRecording()
  }

  #showOperation(): void {
    this.#turn++
    byId('console-summary').textContent = this.#operation.summary
    byId('console-fields').replaceChildren(...parameterFields(this.#operation))
    recordingSelect.replaceChildren(
      ...this.#recordings.map(({ title }, i) => element('option', { value: String(i) }, title)),
    )
    byId('console-answer').replaceChildren(
      element('p', { class: 'none' }, 'Send the request to see its answer here.'),
    )
    this.#showMode()
  }

  #chooseRecording(): void {
    fillFields(form, this.#recordings[Number(recordingSelect.value)]?.parameters ?? {})
    this.#showRequest()
  }

  #keepKey(): void {
    keepSessionKey(keyInput.value.trim())
    this.#showMode()
  }

  #showMode(): void {
    const key = sessionKey()
    const note =
      key === ''
        ? [
            'Without a key you see recorded answers, and nothing is sent. ',
            element('a', { href: '/signup/' }, 'Get a key'),
          ]
        : [
            `Live, with key ${maskKey(key)}. This tab forgets it when you close it. `,
            element('button', { type: 'button', onclick: () => this.#forgetKey() }, 'Forget it now'),
          ]
    byId('console-mode').replaceChildren(...note)
    byId('console-status').replaceChildren(key === '' ? 'Sample mode' : 'Live mode')
  }

  #forgetKey(): void {
    keyInput.value = ''
    this.#keepKey()
    keyInput.focus()
  }

  #showRequest(): void {
    const request = this.#request
    const { operation, parameters } = request
    const target = targetOf(operation.path, parameters)
    byId('console-code').replaceChildren(...codeView(location.origin, target, operation.isKeyed))
    history.replaceState(null, '', `#${toFragment(request)}`)
  }

  /** Shows the recorded answer to the request at hand, if there is one. */
  async #showSample(): Promise<void> {
    const answer = await this.#answerTo(this.#request)
    if (answer) this.#draw(answer)
  }

  async #send(): Promise<void> {
    const turn = ++this.#turn
    const request = this.#request
    byId('console-status').replaceChildren('Waiting for the answer …')
    const answer = await this.#answerTo(request)
    if (turn !== this.#turn) return
    if (answer === null) return this.#refuse()
    this.#history.unshift({ request, answer })
    this.#history.splice(historyLength)
    this.#show(answer)
  }

  /**
   * The recorded answer without a key, the live one with a key; null where nothing was recorded.
   */
  async #answerTo(request: ConsoleRequest): Promise<ConsoleAnswer | null> {
    if (sessionKey() !== '') return await send(request, sessionKey())
    const recording = recordingOf(request, this.#recordings) ?? refusalOf(request, this.#data.refusals)
    return recording ? { ...recording, source: 'recorded answer' } : null
  }

  #show(answer: ConsoleAnswer): void {
    this.#draw(answer)
    this.#showHistory()
    focusAnswer()
  }

  #draw(answer: ConsoleAnswer): void {
    byId('console-status').replaceChildren(...statusLine(answer))
    byId('console-answer').replaceChildren(...answerView(answer, (cursor) => this.#nextPage(cursor)))
  }

  /**
   * The cursor stands for the parameters it is bound to, so that the others can stay as they are.
   */
  #nextPage(cursor: string): void {
    this.#open({ ...readFields(form), cursor })
  }

  #refuse(): void {
    byId('console-status').replaceChildren(
      element('strong', { class: 'status refused' }, 'Not sent'),
      ' this request needs a key',
    )
    const examples = this.#recordings.map(({ title, parameters }) =>
      element('li', {}, element('button', { type: 'button', onclick: () => this.#open(parameters) }, title)),
    )
    byId('console-answer').replaceChildren(
      element(
        'div',
        { class: 'error-card' },
        element('p', {}, element('strong', {}, 'Sample mode has no answer to this request.')),
        element('p', {}, 'Enter a key to send it, or choose a recorded request:'),
        element('ul', {}, ...examples),
      ),
    )
    focusAnswer()
  }

  #open(parameters: Record<string, string>): void {
    fillFields(form, parameters)
    this.#showRequest()
    void this.#send()
  }

  #showHistory(): void {
    const lines = this.#history.map(({ request, answer }) => {
      const onclick = () => {
        operationSelect.value = request.operation.id
        this.#showOperation()
        fillFields(form, request.parameters)
        this.#showRequest()
        this.#show(answer)
      }
      const label = `${answer.status} GET ${targetOf(request.operation.path, request.parameters)}`
      return element('li', {}, element('button', { type: 'button', onclick }, label))
    })
    byId('console-history').hidden = false
    byId('console-history')
      .querySelector('ol')!
      .replaceChildren(...lines)
  }
}

/** Moves the focus to the answer, and the answer into view where it is not at the top. */
function focusAnswer(): void {
  const title = byId('console-answer-title')
  title.focus({ preventScroll: true })
  const { top } = title.getBoundingClientRect()
  if (top < 0 || top > innerHeight / 2) title.scrollIntoView({ block: 'start' })
}
