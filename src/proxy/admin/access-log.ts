import pino from 'pino'
import { toDate } from '#contract/dates.ts'
import type { Clock } from '#kit/clock.ts'
import type { AnsweredRequest } from '../http/answered-request.ts'

/** Lines are written together: a system call for each would cost more than the request. */
const bufferBytes = 8 * 1024
const flushEveryMs = 1_000

/**
 * The access log: a line of JSON for every request answered. Processes may share the file, for what
 * is written is whole lines, appended.
 */
export class AccessLog {
  readonly #destination: ReturnType<typeof pino.destination>
  readonly #clock: Clock
  readonly #isFile: boolean
  #timeMs = NaN
  #timeText = ''

  /**
   * @param file a path, or `-` for standard output
   * @param onFault is told when lines cannot be written: they are lost, and requests are still
   *   answered
   * @throws {Error} the file cannot be opened
   */
  constructor(file: string, clock: Clock, onFault: (error: Error) => void) {
    this.#clock = clock
    this.#isFile = file !== '-'
    this.#destination = pino.destination({
      dest: file === '-' ? 1 : file,
      append: true,
      sync: true,
      minLength: bufferBytes,
      periodicFlush: flushEveryMs,
    })
    this.#destination.on('error', onFault)
  }

  write(request: AnsweredRequest): void {
    const { requestId, method, operation, status, durationMs, sizeBytes, account, keyId, client } = request
    // Put together by hand, a third of what `JSON.stringify` takes. The texts that need no quoting
    // are checked or our own.
    this.#destination.write(
      `{"time":"${this.#time()}","requestId":"${requestId}","method":${JSON.stringify(method)},` +
        `"operation":${quoted(operation)},"status":${status},"durationMs":${Math.round(durationMs * 1000) / 1000},` +
        `"bytes":${sizeBytes},"account":${JSON.stringify(account)},"keyId":${quoted(keyId)},"client":"${client}"}\n`,
    )
  }

  /** The time as text, made once a millisecond. */
  #time(): string {
    const now = this.#clock.now()
    if (now !== this.#timeMs) {
      this.#timeMs = now
      this.#timeText = toDate(now)
    }
    return this.#timeText
  }

  /** Goes on in a new file of the same name: the old one was moved away. */
  reopen(): void {
    if (!this.#isFile) return
    this.#destination.flushSync()
    this.#destination.reopen()
  }

  close(): void {
    this.#destination.flushSync()
  }
}

function quoted(text: string | null): string {
  return text === null ? 'null' : `"${text}"`
}
