import type { CallOptions } from './call-options.ts'
import { ClipLookupError } from './error.ts'
import { Gate, randomShare } from './gate.ts'
import { boundParameters, paths, publicOperations, type OperationId, type Operations } from './operations.ts'
import { limitedSignal, orAbort, wait, withDeadline } from './wait.ts'

// oxlint-disable-next-line oxc/no-barrel-file -- the entry point of the package, types only
export type * from './operations.ts'
export type { CallOptions } from './call-options.ts'
export { ClipLookupError, type ErrorCode, type ErrorDetails } from './error.ts'

/** The options of a client. */
export interface ClientOptions {
  /** The base of all paths, such as `https://clips.example/v1`, or the path of a forwarder. */
  baseUrl: string
  /** The API key. Leave it out in browsers: a forwarder adds it. */
  key?: string | undefined
  /**
   * `foreground` (the default) suits a person who waits: a call fails after at most 10 s of waiting
   * for the minute window, and after 30 s in all. `background` waits as long as necessary.
   */
  mode?: 'foreground' | 'background' | undefined
  /** The longest wait of a call for the minute window. */
  maxWaitMs?: number | undefined
  /** The deadline of every call without a `timeoutMs` of its own. */
  timeoutMs?: number | undefined
  /** The number of retries after a 502, 503, 504 or network error: 2, or 5 in the background. */
  retries?: number | undefined
  /** Sends the requests, in place of the global `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** Receives warnings, in place of `console.warn`. */
  warn?: ((message: string) => void) | undefined
}

/** The operations whose results have pages. */
export type PagedOperationId = keyof typeof boundParameters
type Parameters<Id extends OperationId> = NonNullable<globalThis.Parameters<Operations[Id]>[0]>
type Page<Id extends OperationId> = Awaited<ReturnType<Operations[Id]>>
/** An item of a page. */
export type Item<Id extends PagedOperationId> =
  Page<Id> extends { items: (infer T)[] } ? T : Page<Id> extends { words: (infer T)[] } ? T : never

/** A record with the headers of its response. */
export interface Answer<Id extends OperationId> {
  record: Page<Id>
  headers: Headers
}

/** The longest time for a single request. */
const attemptMs = 30_000
/** The longest pause before the first retry; it doubles with each. */
const retryMs = 250

const defaults = {
  foreground: { maxWaitMs: 10_000, timeoutMs: 30_000, retries: 2 },
  background: { maxWaitMs: Infinity, timeoutMs: Infinity, retries: 5 },
}

/**
 * A client of the API, with a method for each operation.
 *
 *     const client = new ClipLookup({ baseUrl: 'https://clips.example/v1', key })
 *     const { items } = await client.getFeed({ level: 'A2', limit: 3 })
 */
export class ClipLookup implements Operations {
  readonly getFeed: Operations['getFeed'] = this.#method('getFeed')
  readonly listClips: Operations['listClips'] = this.#method('listClips')
  readonly getClip: Operations['getClip'] = this.#method('getClip')
  readonly getTranscript: Operations['getTranscript'] = this.#method('getTranscript')
  readonly listWords: Operations['listWords'] = this.#method('listWords')
  readonly getWord: Operations['getWord'] = this.#method('getWord')
  readonly listWordClips: Operations['listWordClips'] = this.#method('listWordClips')
  readonly searchSentences: Operations['searchSentences'] = this.#method('searchSentences')
  readonly getCorpus: Operations['getCorpus'] = this.#method('getCorpus')
  readonly getChanges: Operations['getChanges'] = this.#method('getChanges')
  readonly getUsage: Operations['getUsage'] = this.#method('getUsage')
  readonly getOpenApi: Operations['getOpenApi'] = this.#method('getOpenApi')

  readonly #options: ClientOptions & typeof defaults.foreground
  readonly #gates = {
    key: new Gate(() => this.getUsage({}, { timeoutMs: attemptMs })),
    public: new Gate(),
  }
  /** The answer to further look-ups while the quota is spent. */
  #quota: { message: string; endMs: number } | null = null

  constructor(options: ClientOptions) {
    const definedOptions = Object.entries(options).filter(([, value]) => value !== undefined)
    const base = defaults[options.mode ?? 'foreground']
    this.#options = {
      ...base,
      ...(Object.fromEntries(definedOptions) as unknown as ClientOptions),
    } as typeof base & ClientOptions
  }

  /**
   * Calls an operation and returns the record with the headers of the response.
   *
   * @throws {ClipLookupError} or the reason of the signal
   */
  async call<Id extends OperationId>(
    id: Id,
    parameters?: Parameters<Id>,
    { signal, timeoutMs = this.#options.timeoutMs, cache }: CallOptions = {},
  ): Promise<Answer<Id>> {
    const url = this.#options.baseUrl.replace(/\/$/, '') + target(id, parameters ?? {})
    const request = { id, url, cache }
    const deadlineMs = Date.now() + timeoutMs
    const answer = await withDeadline({ signal, timeoutMs }, (callSignal) =>
      this.#callUntil(request, deadlineMs, callSignal),
    )
    return answer as Answer<Id>
  }

  /**
   * Returns the pages of a list, one after another. `parameters` is read again for each page, so
   * that you can change filters such as `exclude` between pages. A parameter to which the cursor is
   * bound keeps its value, and a warning names it if it changes.
   */
  async *pages<Id extends PagedOperationId>(
    id: Id,
    parameters: Parameters<Id>,
    options?: CallOptions,
  ): AsyncGenerator<Page<Id>, void, undefined> {
    const current = parameters as Record<string, unknown>
    const names: string[] = [...boundParameters[id]]
    // A search in meanings also depends on their language.
    if (current['in'] === 'meanings') names.push('gloss')
    const boundValues = Object.fromEntries(names.map((name) => [name, current[name]]))
    const warnedNames = new Set<string>()
    let { cursor } = parameters
    do {
      for (const name of names)
        if (String(current[name]) !== String(boundValues[name]) && !warnedNames.has(name)) {
          warnedNames.add(name)
          const message = `${id}: ${name} cannot change from page to page and stays ${JSON.stringify(boundValues[name])}`
          ;(this.#options.warn ?? console.warn)(message)
        }
      const { record } = await this.call(
        id,
        { ...current, ...boundValues, cursor } as Parameters<Id>,
        options,
      )
      yield record
      cursor = (record as { nextCursor: string | null }).nextCursor ?? undefined
    } while (cursor !== undefined)
  }

  /** Returns the items of all pages of a list: see `pages`. */
  async *items<Id extends PagedOperationId>(
    id: Id,
    parameters: Parameters<Id>,
    options?: CallOptions,
  ): AsyncGenerator<Item<Id>, void, undefined> {
    for await (const page of this.pages(id, parameters, options)) {
      const { items, words } = page as unknown as { items?: Item<Id>[]; words?: Item<Id>[] }
      yield* items ?? words ?? []
    }
  }

  #method<Id extends OperationId>(id: Id): Operations[Id] {
    const method = async (parameters?: Parameters<Id>, options?: CallOptions) =>
      (await this.call(id, parameters, options)).record
    return method as Operations[Id]
  }

  /** Sends a request until it is answered, and waits in between. */
  async #callUntil(request: ApiRequest, deadlineMs: number, signal: AbortSignal) {
    const { maxWaitMs, retries } = this.#options
    const latestMs = Math.min(Date.now() + maxWaitMs, deadlineMs)
    for (let failures = 0; ;) {
      signal.throwIfAborted()
      try {
        return await this.#send(request, latestMs, signal)
      } catch (error) {
        if (signal.aborted || !(error instanceof ClipLookupError)) throw error
        if (error.is('rate_limited') && Date.now() + error.retryAfter * 1000 < latestMs) {
          // Other calls wait at their gate.
          if (request.id === 'getUsage') await wait(error.retryAfter * 1000, signal)
          continue
        }
        if (!canRetry(error) || failures === retries) throw error
        const pauseMs = retryMs * 2 ** failures++ * (0.5 + randomShare() / 2)
        if (Date.now() + pauseMs > deadlineMs) throw error
        await wait(pauseMs, signal)
      }
    }
  }

  /** Sends a request when its gate is open. Calls to /usage have no gate. */
  async #send(request: ApiRequest, latestMs: number, signal: AbortSignal): Promise<AnyAnswer> {
    const { id } = request
    if (id === 'getUsage') return this.#learnUsage(await this.#attempt(request, signal))
    const isPublic = publicOperations.includes(id)
    const gate = this.#gates[isPublic ? 'public' : 'key']
    if (!isPublic) this.#refuseOverQuota()
    const waitMs = await gate.enter(latestMs, signal)
    if (waitMs > 0) throw refusal('rate_limited', 'this minute has no requests left', waitMs)
    let outcome
    try {
      // The quota can have run out while the call waited.
      if (!isPublic) this.#refuseOverQuota()
      outcome = await this.#attempt(request, signal)
    } finally {
      gate.leave(outcome?.headers)
    }
    if (!(outcome instanceof ClipLookupError)) return outcome
    if (outcome.is('rate_limited')) gate.refuse(outcome.retryAfter)
    if (outcome.is('quota_exceeded'))
      this.#quota = { message: outcome.message, endMs: Date.now() + outcome.retryAfter * 1000 }
    throw outcome
  }

  /** Takes over the state of the window and of the quota from a response of /usage. */
  #learnUsage(outcome: AnyAnswer | ClipLookupError): AnyAnswer {
    if (outcome instanceof ClipLookupError) throw outcome
    this.#gates.key.learn(outcome.headers)
    const { requests, limit } = outcome.record as Page<'getUsage'>
    if (limit === null || requests < limit) this.#quota = null
    return outcome
  }

  /** Refuses calls in place of the service until the period ends. Reading /usage can end that. */
  #refuseOverQuota(): void {
    const leftMs = this.#quota ? this.#quota.endMs - Date.now() : 0
    if (leftMs > 0) throw refusal('quota_exceeded', this.#quota!.message, leftMs)
  }

  /** Sends one request. Returns the response or the error. @throws the reason of the signal */
  async #attempt({ url, cache }: ApiRequest, signal: AbortSignal): Promise<AnyAnswer | ClipLookupError> {
    const { key, fetch = globalThis.fetch } = this.#options
    const deadline = limitedSignal(signal, attemptMs, () => new Error(`no response within ${attemptMs} ms`))
    try {
      const headers: Record<string, string> = key ? { Authorization: `Bearer ${key}` } : {}
      const response = await orAbort(
        fetch(url, { headers, signal: deadline.signal, ...(cache && { cache }) }),
        deadline.signal,
      )
      return toOutcome(response, await orAbort(response.text(), deadline.signal))
    } catch (cause) {
      signal.throwIfAborted()
      // The message of `fetch` says only that it failed; in Node, its cause says why.
      const { message, code } = ((cause as Error).cause ?? cause) as Error & { code?: string }
      return new ClipLookupError('network', `no response: ${message || code}`, { cause })
    } finally {
      deadline.release()
    }
  }
}

type AnyAnswer = Answer<OperationId>

/** A request, which may be sent several times. */
interface ApiRequest extends Pick<CallOptions, 'cache'> {
  id: OperationId
  url: string
}

/** Returns the record of a response, or its error. */
function toOutcome({ ok, status, headers }: Response, text: string): AnyAnswer | ClipLookupError {
  const body = parse(text) as (AnyAnswer['record'] & { error?: ErrorFields }) | undefined
  if (ok && body) return { record: body, headers }
  const { code = 'bad_response', message, parameter, retryAfter } = body?.error ?? {}
  return new ClipLookupError(code, message ?? `the response with status ${status} is not from the API`, {
    status,
    parameter,
    retryAfter: status === 429 ? retryAfter || Number(headers.get('Retry-After')) || 1 : undefined,
    headers,
  })
}

interface ErrorFields {
  code?: string
  message?: string
  parameter?: string
  retryAfter?: number
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns an error of the client itself, with the code that the service would send. */
function refusal(code: 'rate_limited' | 'quota_exceeded', message: string, waitMs: number): ClipLookupError {
  return new ClipLookupError(code, message, { retryAfter: Math.ceil(waitMs / 1000) })
}

function canRetry({ code, status }: ClipLookupError): boolean {
  return code === 'network' || status === 502 || status === 503 || status === 504
}

type ParameterValue = string | number | boolean | readonly (string | number)[] | undefined

/** Returns the path and the query of a request. */
function target(id: OperationId, parameters: object): string {
  const template = paths[id]
  const values = parameters as Record<string, ParameterValue>
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, String(values[name] ?? '')))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    const text = String(value ?? '')
    if (text !== '' && !template.includes(`{${name}}`)) query.set(name, text)
  }
  return `${path}?${query}`.replace(/\?$/, '')
}

function segment(name: string, text: string): string {
  if (!/^\.{0,2}$/.test(text)) return encodeURIComponent(text)
  // A URL cannot contain these as a segment, not even when they are encoded.
  throw new ClipLookupError('invalid_parameter', `${name} cannot be ${JSON.stringify(text)}`, {
    parameter: name,
  })
}
