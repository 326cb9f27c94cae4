import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { send, type HttpAnswer } from './http-client.ts'

/** A GET of a path with a key. */
export interface ClientRequest {
  path: string
  key: string
}

export interface ClientsOptions {
  /** The servers: clients go to each in turn. */
  origins: readonly string[]
  count: number
  /** Gives what is asked next; null: nothing more. */
  next(): ClientRequest | null
  onAnswer?(answer: HttpAnswer, request: ClientRequest): void
  /** Whether a client keeps its connection, as it does unless told otherwise. */
  keepAlive?: boolean
  /** Whether a client whose connection broke goes on with another. */
  isStubborn?: boolean
  /** How long a client waits after an answer. */
  pauseMs?: number
}

/** A status, or the code of the error that there was in the place of an answer. */
export type Outcome = number | string

/**
 * How long a client waits for an answer. A connection whose server died while it was handed over
 * stays silent.
 */
const silenceMs = 30_000
/**
 * Answers held against the OpenAPI document; clients without end would take its time from the
 * server.
 */
const checkedAtMost = 1_000
/** Before a connection that broke is opened again. */
const reopenMs = 20

/** Clients that each send a request when they have the answer to their last. */
export class Clients {
  /** In the order in which they came. */
  readonly outcomes: Outcome[] = []
  /** Requests that a server may have read. */
  sent = 0
  /** Resolves when no client has anything more to do. */
  readonly done: Promise<void>
  readonly #options: ClientsOptions
  readonly #counts = new Map<Outcome, number>()
  /** For each outcome, how many outcomes there were when its request was sent. */
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

  /** How many outcomes there were of a kind. */
  count(outcome: Outcome): number {
    return this.#counts.get(outcome) ?? 0
  }

  /** Answers with 200. */
  get answered(): number {
    return this.count(200)
  }

  /** The statuses of all answers. */
  get statuses(): number[] {
    return [...this.#counts.keys()].filter((outcome) => typeof outcome === 'number').sort((a, b) => a - b)
  }

  /** Outcomes of requests that were sent when there were at least so many outcomes. */
  outcomesAfter(count: number): Outcome[] {
    return this.outcomes.filter((_, i) => this.#outcomesBefore[i]! >= count)
  }

  /** Waits until this is so, as is looked at after every outcome; gives up when all clients end. */
  async until(isReached: () => boolean): Promise<void> {
    while (!isReached() && !this.#isOver) await Promise.race([this.#news.promise, this.done])
  }

  /** Waits for so many more outcomes. */
  async more(count: number): Promise<void> {
    const enough = this.outcomes.length + count
    await this.until(() => this.outcomes.length >= enough)
  }

  /** Lets what is under way end, and sends nothing more. */
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
