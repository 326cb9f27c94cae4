import { connect } from 'node:net'
import { checkAgainstOpenApi } from './openapi-check.ts'

/** A request of a flood: GET of a path with a key. */
export interface FloodRequest {
  path: string
  key: string
}

export interface FloodAnswer {
  status: number
  /** By name in lower case. */
  headers: Record<string, string>
  text: string
}

export interface FloodOptions {
  /** The servers: connections go to each in turn. */
  ports: readonly number[]
  connections: number
  /** Gives what is sent next; null: nothing more. */
  next(): FloodRequest | null
  /** Called with each answer once it is there in full. */
  onAnswer?(answer: FloodAnswer): void
  /** Whether a connection that breaks is opened again. */
  isStubborn?: boolean
}

/**
 * How long a connection may be silent. Only one whose server died while it was handed over stays
 * so.
 */
const silenceMs = 3_000
/**
 * Answers held against the OpenAPI document; a flood without end would take its time from the
 * server.
 */
const checkedAtMost = 1_000
/** Before a connection that broke is opened again. */
const pauseMs = 20

/**
 * Many requests at once over keep-alive connections, as cheaply as can be: all connections are made
 * first, then each sends its next request when it has the answer to its last. The first thousand
 * answers are held against the OpenAPI document.
 */
export class Flood {
  /** Requests written to a socket. */
  sent = 0
  /** Answers read in full, by status. */
  readonly statuses: Record<number, number> = {}
  /** Resolves when no connection has anything more to do. */
  readonly done: Promise<void>
  readonly #options: FloodOptions
  readonly #waiting: { isReached(): boolean; resolve(): void }[] = []
  #open = 0
  #checked = 0
  #isStopped = false

  constructor(options: FloodOptions) {
    this.#options = options
    const { ports, connections } = options
    let release: (() => void) | undefined
    const allOpen = new Promise<void>((resolve) => (release = resolve))
    const onOpen = () => ++this.#open === connections && release!()
    const each = Array.from({ length: connections }, (_, i) =>
      this.#keepDriving(ports[i % ports.length]!, allOpen, onOpen),
    )
    this.done = Promise.all(each).then(() => {})
  }

  /** Answers with 200 that were read in full. */
  get answered(): number {
    return this.statuses[200] ?? 0
  }

  /**
   * Waits until this is so, as is looked at after every answer; gives up when the flood is over.
   */
  async until(isReached: () => boolean): Promise<void> {
    if (isReached()) return
    const reached = new Promise<void>((resolve) => this.#waiting.push({ isReached, resolve }))
    await Promise.race([reached, this.done])
  }

  /** Lets what is under way end, and sends nothing more. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.done
  }

  #next(): FloodRequest | null {
    return this.#isStopped ? null : this.#options.next()
  }

  async #keepDriving(port: number, allOpen: Promise<void>, onOpen: () => void): Promise<void> {
    let hasMore = await this.#drive(port, allOpen, onOpen)
    while (hasMore && this.#options.isStubborn && !this.#isStopped) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      hasMore = await this.#drive(port, Promise.resolve(), () => {})
    }
  }

  /** One connection until it closes. Gives whether there might be more to send. */
  #drive(port: number, begin: Promise<void>, onOpen: () => void): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      let received: Buffer = Buffer.alloc(0)
      let asked: FloodRequest | null = null
      let hasMore = true
      const send = () => {
        asked = this.#next()
        if (!asked) {
          hasMore = false
          return void socket.end()
        }
        this.sent++
        socket.write(
          `GET ${asked.path} HTTP/1.1\r\nHost: flood\r\nAuthorization: Bearer ${asked.key}\r\n\r\n`,
        )
      }
      socket.on('connect', () => {
        onOpen()
        void begin.then(send)
      })
      socket.on('error', () => socket.destroy())
      socket.setTimeout(silenceMs, () => socket.destroy())
      socket.on('close', () => resolve(hasMore))
      socket.on('data', (chunk: Buffer) => {
        received = received.length > 0 ? Buffer.concat([received, chunk]) : chunk
        const found = takeAnswer(received)
        if (!found) return
        received = found.rest
        try {
          this.#take(asked!, found.answer)
          send()
        } catch (error) {
          reject(error as Error)
          socket.destroy()
        }
      })
    })
  }

  #take({ path }: FloodRequest, answer: FloodAnswer): void {
    if (this.#checked++ < checkedAtMost) checkAgainstOpenApi('GET', path, answer)
    this.statuses[answer.status] = (this.statuses[answer.status] ?? 0) + 1
    this.#options.onAnswer?.(answer)
    for (const { isReached, resolve } of this.#waiting) if (isReached()) resolve()
  }
}

/** The first answer in what was received, once it is there in full. */
function takeAnswer(bytes: Buffer): { answer: FloodAnswer; rest: Buffer } | null {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return null
  const [line, ...fields] = bytes.toString('latin1', 0, end).split('\r\n')
  const headers = Object.fromEntries(
    fields.map((field) => {
      const colon = field.indexOf(':')
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()]
    }),
  )
  const length = end + 4 + Number(headers['content-length'])
  if (bytes.length < length) return null
  const answer = {
    status: Number(line!.slice(9, 12)),
    headers,
    text: bytes.toString('utf8', end + 4, length),
  }
  return { answer, rest: bytes.subarray(length) }
}
