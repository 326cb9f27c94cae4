import type { CacheStorage } from './storage.ts'

/** The key of the release of the records, which is never forgotten. */
export const releaseKey = 'release'

/** A storage that forgets what was used least recently when it is full. Sizes are in characters. */
export class LimitedStorage {
  readonly #storage: CacheStorage
  readonly #maxSize: number
  /** The sizes of the texts, the least recently used first. */
  #sizes: Map<string, number> | null = null
  #total = 0

  constructor(storage: CacheStorage, maxSize: number) {
    this.#storage = storage
    this.#maxSize = maxSize
  }

  async get(key: string): Promise<string | undefined> {
    const sizes = await this.#open()
    const size = sizes.get(key)
    if (size === undefined) return undefined
    sizes.delete(key)
    sizes.set(key, size)
    return await this.#storage.get(key)
  }

  /**
   * Stores a text. If that fails, as on a full disk, or if the text is larger than the whole cache,
   * the text is not kept and no error is thrown, because the caller already has the text.
   */
  async set(key: string, text: string): Promise<void> {
    const sizes = await this.#open()
    if (text.length > this.#maxSize) return await this.delete(key)
    this.#forget(key)
    sizes.set(key, text.length)
    this.#total += text.length
    try {
      await this.#storage.set(key, text)
    } catch {
      this.#forget(key)
    }
    while (this.#total > this.#maxSize) await this.delete(sizes.keys().next().value!)
  }

  async delete(key: string): Promise<void> {
    await this.#open()
    this.#forget(key)
    await this.#storage.delete(key)
  }

  async clear(): Promise<void> {
    const keys = Array.from((await this.#open()).keys())
    for (const key of keys) await this.delete(key)
  }

  #forget(key: string): void {
    this.#total -= this.#sizes!.get(key) ?? 0
    this.#sizes!.delete(key)
  }

  async #open(): Promise<Map<string, number>> {
    const all = this.#sizes ? [] : await this.#storage.sizes()
    const list = all.filter(([key]) => key !== releaseKey)
    // Another call can have opened it in the meantime.
    if (this.#sizes) return this.#sizes
    this.#total = list.reduce((total, [, size]) => total + size, 0)
    return (this.#sizes = new Map(list))
  }
}
