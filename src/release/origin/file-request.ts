import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { joinBytes } from '#kit/join-bytes.ts'
import { OriginFault } from './origin-fault.ts'

/** How long the origin may take: to accept a connection, to begin its answer, and for all of it. */
export interface OriginLimits {
  connectMs: number
  firstByteMs: number
  wholeMs: number
}

/** An answer of the origin: 200, or 304 if that was asked for. */
export interface OriginAnswer {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer<ArrayBuffer>
}

/**
 * One request to the origin and its answer, within its limits. It takes the place of a client's
 * request, and has what http-proxy uses of one: a real one is a stream, and to make it and pipe it
 * takes as long as all else that a file costs the proxy.
 */
export class FileRequest {
  readonly method = 'GET'
  readonly url: string
  readonly headers: Record<string, string>
  readonly socket = { destroyed: false }
  readonly #path: string
  readonly #limits: OriginLimits
  readonly #onPiece: ((piece: Uint8Array) => void) | undefined
  readonly #answer = Promise.withResolvers<OriginAnswer>()
  #upstream: ClientRequest | undefined
  #status: number | null = null
  #isOver = false
  #timer: NodeJS.Timeout

  constructor(
    path: string,
    url: string,
    headers: Record<string, string>,
    limits: OriginLimits,
    onPiece: ((piece: Uint8Array) => void) | undefined,
  ) {
    this.url = url
    this.headers = headers
    this.#path = path
    this.#limits = limits
    this.#onPiece = onPiece
    this.#timer = setTimeout(() => this.#awaitRest(), Math.min(limits.firstByteMs, limits.wholeMs))
  }

  /** The whole answer. @throws {OriginFault} */
  get answer(): Promise<OriginAnswer> {
    return this.#answer.promise
  }

  /** http-proxy listens for errors, of which there are none. */
  on(): this {
    return this
  }

  /** Receives its request, which is about to be sent. */
  begin(upstream: ClientRequest): void {
    this.#upstream = upstream
    if (this.#isOver) upstream.destroy()
  }

  receive(answer: IncomingMessage): void {
    this.#status = answer.statusCode!
    const pieces: Buffer<ArrayBuffer>[] = []
    answer.on('data', (piece: Buffer<ArrayBuffer>) => {
      pieces.push(piece)
      this.#onPiece?.(piece)
    })
    // A body that is cut off closes, too.
    answer.on('error', () => {})
    answer.on('close', () => {
      if (!answer.complete) return this.#fail('cut', 'its response was truncated')
      if (!this.#finish()) return
      // A small body is not copied: it shares the memory of the head that came with it.
      const bytes = pieces.length === 1 ? pieces[0]! : Buffer.from(joinBytes(pieces).buffer)
      this.#answer.resolve({ status: this.#status!, headers: answer.headers, bytes })
    })
  }

  fail(error: Error): void {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ECONNECT_TIMEOUT') this.#late(this.#limits.connectMs)
    else this.#fail('connect', error.message || String(code))
  }

  /** At the limit for the first byte: waits until the limit for the whole. */
  #awaitRest(): void {
    const { firstByteMs, wholeMs } = this.#limits
    const restMs = wholeMs - firstByteMs
    if (this.#status === null) this.#late(Math.min(firstByteMs, wholeMs))
    else if (restMs <= 0) this.#late(wholeMs)
    else this.#timer = setTimeout(() => this.#late(wholeMs), restMs)
  }

  #late(limitMs: number): void {
    this.#fail('timeout', `it took longer than ${limitMs} ms`)
  }

  #fail(reason: OriginFault['reason'], message: string): void {
    if (!this.#finish()) return
    this.#upstream?.destroy()
    this.#answer.reject(new OriginFault(reason, this.#path, this.#status, message))
  }

  #finish(): boolean {
    if (this.#isOver) return false
    this.#isOver = true
    clearTimeout(this.#timer)
    return true
  }
}
