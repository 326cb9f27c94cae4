/**
 * Collects what is asked in one turn of the event loop and hands it over together, once every request that had arrived has been read.
 *
 * A poll of the event loop reads all sockets that have something, then `setImmediate` runs: the busier the service, the more
 * there is in a batch, and the less a request pays for the commit it shares.
 */
export class TurnQueue<Item> {
  readonly #settle: (items: Item[]) => void
  #items: Item[] = []

  constructor(settle: (items: Item[]) => void) {
    this.#settle = settle
  }

  add(item: Item): void {
    if (this.#items.push(item) === 1) setImmediate(() => this.flush())
  }

  /** Hands over what is there now. */
  flush(): void {
    if (this.#items.length === 0) return
    const items = this.#items
    this.#items = []
    this.#settle(items)
  }
}
