import { randomInt } from 'node:crypto'
import { systemClock } from '#kit/clock.ts'
import { currentPath } from '#release/paths.ts'
import { openRelease, readPointer, type Release } from '#release/release.ts'
import { MissingFile, type Tree } from '#release/tree.ts'

export interface FollowedLog {
  info(message: string): void
  error(message: string): void
}

const firstRetryMs = 1_000

/** The source of a followed value. */
interface FollowedSource<Value> {
  /** Returns the text that names the value in service. Another text means another value. */
  readPointer(): Promise<string>
  /** Opens the value that the pointer names. `before` is the value that it will replace. */
  open(pointer: string, before: Value | null): Promise<Value>
  /** Ends the service of a value. Earlier requests may still use it. */
  retire?(value: Value): void
  /** How the log names a value, such as `release 2026-11-22-1`, and a missing one: `no release`. */
  describe(value: Value | null): string
  /** Whether a tree may lack the value: a missing file is no fault until there has been a value. */
  isOptional?: boolean
}

/**
 * A value that follows a pointer in the tree.
 *
 * Invariant: `current` is always a value that opened completely. A new one is opened while the old
 * one is in use, and replaces it between two requests. If it does not open, the old one stays.
 */
export class Followed<Value extends object> {
  readonly #source: FollowedSource<Value>
  readonly #log: FollowedLog
  #pointer: string | null = null
  #timer: NodeJS.Timeout | undefined
  #lastRefresh: Promise<void> = Promise.resolve()
  /** The value in service; null while there is none. */
  current: Value | null = null
  /** The time at which the pointer was last read; null if it never was. */
  pointerReadAtMs: number | null = null
  /** The fault of the last refresh; empty if it succeeded. */
  fault = ''

  constructor(source: FollowedSource<Value>, log: FollowedLog) {
    this.#source = source
    this.#log = log
  }

  /**
   * Refreshes now, and then about every `intervalMs` until `stop`. While nothing is in service,
   * refreshes after 1, 2, 4 … seconds, up to `retryUpToMs`. Each wait is shortened by up to a
   * fifth, so that many processes do not ask at the same time.
   */
  async follow(intervalMs: number, retryUpToMs: number = intervalMs): Promise<void> {
    let retryMs = firstRetryMs / 2
    const wait = () => {
      retryMs = Math.min(2 * retryMs, retryUpToMs)
      const waitMs = ((this.current ? intervalMs : retryMs) * randomInt(800, 1001)) / 1000
      this.#timer = setTimeout(() => void this.refresh().then(() => this.#timer && wait()), waitMs)
    }
    await this.refresh()
    wait()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /**
   * Opens the value that the pointer names, if it is a different one. Never rejects: faults go to
   * the log. Refreshes run one by one, so that none ends late and restores an older value.
   */
  refresh(): Promise<void> {
    this.#lastRefresh = this.#lastRefresh.then(() => this.#refresh())
    return this.#lastRefresh
  }

  /** Like `refresh`, at an operator's request: the outcome is logged even if nothing changed. */
  async reload(): Promise<void> {
    const before = this.current
    this.fault = ''
    await this.refresh()
    if (before !== null && this.current === before && this.fault === '')
      this.#log.info(`${this.#source.describe(before)} stays in service: the pointer still names it`)
  }

  async #refresh(): Promise<void> {
    const { readPointer, open, retire, describe, isOptional } = this.#source
    try {
      const pointer = await readPointer()
      this.pointerReadAtMs = systemClock.now()
      if (pointer !== this.#pointer) {
        const before = this.current
        this.current = await open(pointer, before)
        this.#pointer = pointer
        if (before) retire?.(before)
        this.#log.info(`${describe(this.current)} is in service`)
      }
      this.fault = ''
    } catch (error) {
      if (isOptional && error instanceof MissingFile && this.current === null) return
      const { message } = error as Error
      const outcome = `${describe(this.current)} ${this.current ? 'stays' : 'is'} in service`
      if (message !== this.fault) this.#log.error(`${message}; ${outcome}`)
      this.fault = message
    }
  }
}

/** The release that `current.json` names. */
export class FollowedRelease extends Followed<Release> {
  /** The start of the rollback that holds the release in service; null without one. */
  rollbackSince: string | null = null

  constructor(tree: Tree, log: FollowedLog) {
    super(
      {
        readPointer: async () => {
          const { release, rollbackSince = null } = await readPointer(tree).catch((error: unknown) => {
            if (!(error instanceof MissingFile)) throw error
            throw new MissingFile(currentPath, `there is no published release in "${tree.location}"`)
          })
          this.rollbackSince = rollbackSince
          return release
        },
        open: (release) => openRelease(tree, release),
        retire: (release) => release.removeUser(),
        describe: (release) => {
          if (!release) return 'no release'
          const since = this.rollbackSince
          const note = since && ` (held since ${since} by a rollback, until "releases resume")`
          return `release ${release.manifest.release}${note ?? ''}`
        },
      },
      log,
    )
  }
}
