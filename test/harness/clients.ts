import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { send, type HttpAnswer } from './http-client.ts'

/** A GET of a path with a key. */
export interface ClientRequest {
  path: string
  key: string
}

export interface ClientsOptions {
  /** The servers, which clients use in turn. */
  origins: readonly string[]
  count: number
  /** Returns the next request, or null after the last. */
  next(): ClientRequest | null
  onAnswer?(answer: HttpAnswer, request: ClientRequest): void
  /** Whether a client keeps its connection; true by default. */
  keepAlive?: boolean
  /** Whether a client whose connection broke continues with another. */
  isStubborn?: boolean
  /** The time that a client waits after a response. */
  pauseMs?: number
}

/** A status, or the code of the error that replaced a response. */
export type Outcome = number | string

/**
 * The time that a client waits for a response. A connection whose server died while it was handed
 * over stays silent.
 */
const silenceMs = 30_000
/**
 * The number of responses that are checked against the OpenAPI document. Checking all of them would
 * take too much time from the server.
 */
const checkedAtMost = 1_000
/** The time before a broken connection is opened again. */
const reopenMs = 20

/** Clients that each send a request after the response to the previous one. */
export class Clients {
  /** In the order of arrival. */
  readonly outcomes: Outcome[] = []
  /** The number of requests that a server may have read. */
  sent = 0
  /** Resolves when all clients have finished. */
  readonly done: Promise<void>
  readonly #options: ClientsOptions
  readonly #counts = new Map<Outcome, number>()
  /** For each outcome, the number of outcomes when its request was sent. */
  readonly #outcomesBefore: number[] = []
  #news = Promise.withResolvers<void>()
  #isStopped = false
  #isOver = false

  constructor(options: ClientsOptions) {
    this.#options = options
    const { origins, count } = options
    const each = Array.from({ length: count }, (_, i) => this.#drive(origins[i % origins.length]!))
    this.done = Promise.all(each).then(() => {
      this.#isOver = true
      this.#news.resolve()
    })
  }

  /** Returns the number of outcomes of a kind. */
  count(outcome: Outcome): number {
    return this.#counts.get(outcome) ?? 0
  }

  /** The number of responses with 200. */
  get answered(): number {
    return this.count(200)
  }

  /** The statuses of all responses. */
  get statuses(): number[] {
    return [...this.#counts.keys()].filter((outcome) => typeof outcome === 'number').sort((a, b) => a - b)
  }

  /** Returns the outcomes of requests that were sent after this many outcomes. */
  outcomesAfter(count: number): Outcome[] {
    return this.outcomes.filter((_, i) => this.#outcomesBefore[i]! >= count)
  }

  /** Waits until this is true, checking after every outcome; gives up when all clients end. */
  async until(isReached: () => boolean): Promise<void> {
    while (!isReached() && !this.#isOver) await Promise.race([this.#news.promise, this.done])
  }

  /** Waits for this many more outcomes. */
  async more(count: number): Promise<void> {
    const enough = this.outcomes.length + count
    await this.until(() => this.outcomes.length >= enough)
  }

  /** Waits for requests in progress, and sends no more. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.done
  }

  async #drive(origin: string): Promise<void> {
    const { next, keepAlive = true, isStubborn, pauseMs = 0 } = this.#options
    const agent = new Agent({ keepAlive, maxSockets: 1 })
    for (let asked = next(); asked && !this.#isStopped; asked = next()) {
      const before = this.outcomes.length
      const outcome = await this.#ask(origin, agent, asked)
      this.outcomes.push(outcome)
      this.#outcomesBefore.push(before)
      this.#counts.set(outcome, this.count(outcome) + 1)
      this.#news.resolve()
      this.#news = Promise.withResolvers()
      const isBroken = typeof outcome === 'string'
      if (isBroken && !isStubborn) break
      if (isBroken || pauseMs > 0) await sleep(isBroken ? reopenMs : pauseMs)
    }
    agent.destroy()
  }

  async #ask(origin: string, agent: Agent, request: ClientRequest): Promise<Outcome> {
    this.sent++
    try {
      const { path, key } = request
      const isChecked = this.sent <= checkedAtMost
      const signal = AbortSignal.timeout(silenceMs)
      const answer = await send(origin, path, { key, agent, signal, isChecked })
      this.#options.onAnswer?.(answer, request)
      return answer.status
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === undefined) throw error
      if (code === 'ECONNREFUSED') this.sent--
      return code
    }
  }
}
