/** A look at something that changes from outside, taken again and again. */
export class RepeatedLook {
  readonly #look: () => Promise<void>
  #timer: NodeJS.Timeout | undefined
  #last: Promise<void> = Promise.resolve()

  /** `look` must not reject. */
  constructor(look: () => Promise<void>) {
    this.#look = look
  }

  /** Looks now, and then every `intervalMs`. */
  async follow(intervalMs: number): Promise<void> {
    await this.now()
    const again = async () => {
      await this.now()
      if (this.#timer) this.#timer = setTimeout(again, intervalMs)
    }
    this.#timer = setTimeout(again, intervalMs)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** Looks follow one another, so that none that began earlier ends later and brings an older state back. */
  now(): Promise<void> {
    this.#last = this.#last.then(this.#look)
    return this.#last
  }
}
