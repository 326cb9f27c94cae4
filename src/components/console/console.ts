import { answerView, type Shown } from './answer-view.ts'
import type { ConsoleData, ConsoleOperation, ConsoleRecording } from './console-data.ts'
import { byId, element } from '../cards/dom.ts'
import { fillFields, parameterFields, readFields } from './parameter-form.ts'
import { asCurl, asFetch, targetOf } from './request-text.ts'

/** The headers of a live answer that are shown: those that any origin may read. */
const shownHeaders = [
  'content-type',
  'cache-control',
  'etag',
  'retry-after',
  'www-authenticate',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
]

const form = byId<HTMLFormElement>('console-form')
const operationSelect = byId<HTMLSelectElement>('console-operation')
const recordingSelect = byId<HTMLSelectElement>('console-recording')
const keyInput = byId<HTMLInputElement>('console-key')

/** The key is in this field, in the memory of this tab, and nowhere else: a reload forgets it. */
const key = () => keyInput.value.trim()

async function start(): Promise<void> {
  const data = (await (await fetch('/samples.json')).json()) as ConsoleData
  for (const { id, path } of data.operations)
    operationSelect.append(element('option', { value: id }, `GET ${path}`))
  const wanted = location.hash.slice(1)
  if (data.operations.some(({ id }) => id === wanted)) operationSelect.value = wanted
  new Console(data).start()
}

class Console {
  readonly #data: ConsoleData
  /** Counts the requests: an answer that comes after the next request was sent is dropped. */
  #sent = 0

  constructor(data: ConsoleData) {
    this.#data = data
  }

  start(): void {
    operationSelect.addEventListener('change', () => this.#chooseOperation())
    recordingSelect.addEventListener('change', () => this.#chooseRecording())
    keyInput.addEventListener('input', () => this.#showMode())
    form.addEventListener('input', () => this.#showRequest())
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void this.#send()
    })
    for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
      button.addEventListener('click', () => void copy(button))
    }
    this.#chooseOperation()
    byId('console').dataset.ready = 'true'
  }

  get #operation(): ConsoleOperation {
    return this.#data.operations.find(({ id }) => id === operationSelect.value)!
  }

  get #recordings(): ConsoleRecording[] {
    return this.#data.recordings.filter(({ operation }) => operation === operationSelect.value)
  }

  #chooseOperation(): void {
    byId('console-summary').textContent = this.#operation.summary
    byId('console-fields').replaceChildren(...parameterFields(this.#operation))
    recordingSelect.replaceChildren(
      ...this.#recordings.map(({ title }, i) => element('option', { value: String(i) }, title)),
    )
    byId('console-answer').replaceChildren(
      element('p', { class: 'none' }, 'Send the request to see its answer here.'),
    )
    this.#chooseRecording()
    this.#showMode()
  }

  #chooseRecording(): void {
    fillFields(form, this.#recordings[Number(recordingSelect.value)]?.parameters ?? {})
    this.#showRequest()
  }

  #showMode(): void {
    const isLive = key() !== ''
    byId('console-mode').textContent = isLive ? 'Live' : 'Sample mode'
    byId('console-mode').className = isLive ? 'mode live' : 'mode'
    byId('console-mode-note').textContent = isLive
      ? 'Requests go to this service and spend what they spend.'
      : 'Answers were recorded from this release. Nothing is sent, nothing is spent.'
  }

  #showRequest(): void {
    const target = targetOf(this.#operation, readFields(form))
    byId('console-curl').textContent = asCurl(location.origin, target, this.#operation.isKeyed)
    byId('console-fetch').textContent = asFetch(location.origin, target, this.#operation.isKeyed)
  }

  async #send(): Promise<void> {
    const turn = ++this.#sent
    const target = targetOf(this.#operation, readFields(form))
    const shown = key() === '' ? this.#recorded(target) : await this.#ask(target)
    if (turn !== this.#sent) return
    byId('console-answer').replaceChildren(...answerView(shown, (cursor) => this.#next(cursor)))
  }

  /** The next page of the feed: the cursor stands for all else that is bound to it. */
  #next(cursor: string): void {
    const { limit, gloss, level } = readFields(form)
    const kept = Object.entries({ limit, gloss, level, cursor }).filter(([, value]) => value !== undefined)
    fillFields(form, Object.fromEntries(kept) as Record<string, string>)
    this.#showRequest()
    void this.#send()
  }

  #recorded(target: string): Shown {
    const exact = this.#recordings.find((recording) => recording.target === target)
    if (exact) return { ...exact, note: 'recorded answer' }
    const nearest = this.#recordings[Number(recordingSelect.value)] ?? this.#recordings[0]
    if (!nearest)
      return { status: 0, headers: {}, body: null, note: 'nothing was recorded for this operation' }
    return {
      ...nearest,
      note: `recorded answer to ${nearest.target}: yours was not recorded, and needs a key`,
    }
  }

  async #ask(target: string): Promise<Shown> {
    try {
      const headers = this.#operation.isKeyed ? { Authorization: `Bearer ${key()}` } : undefined
      const response = await fetch(target, { cache: 'no-store', ...(headers && { headers }) })
      const told = shownHeaders.flatMap((name) => {
        const value = response.headers.get(name)
        return value === null ? [] : [[name, value] as const]
      })
      const note = `live answer · ${target}`
      return { status: response.status, headers: Object.fromEntries(told), body: await response.json(), note }
    } catch (error) {
      const note = `no answer: ${(error as Error).message}. Is there a service on this origin?`
      return { status: 0, headers: {}, body: null, note }
    }
  }
}

async function copy(button: HTMLButtonElement): Promise<void> {
  await navigator.clipboard.writeText(byId(button.dataset.copy!).textContent ?? '')
  button.textContent = 'Copied'
  setTimeout(() => (button.textContent = 'Copy'), 1500)
}

await start()
