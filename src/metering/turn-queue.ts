/**
 * Collects the items of one turn of the event loop, and hands them over together once every request
 * that has arrived was read.
 *
 * A poll of the event loop reads all sockets that have data, then `setImmediate` runs. The busier
 * the service, the larger the batch, and the less a request pays for the commit that it shares.
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

  /** Hands over what has been collected. */
  flush(): void {
    if (this.#items.length === 0) return
    const items = this.#items
    this.#items = []
    this.#settle(items)
  }
}
