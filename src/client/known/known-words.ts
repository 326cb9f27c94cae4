import type { CallOptions } from '../call-options.ts'
import type { Level, Operations } from '../operations.ts'
import { packIds, unpackIds } from './packed-set.ts'
import { wordsBySpelling } from '../helpers/words-by-spelling.ts'

export { packIds, unpackIds } from './packed-set.ts'

/** The stored form of a set. */
export interface KnownWordsRecord {
  /** The level up to which all words are known. */
  level: Level | null
  wordIds: number[]
  /** Words that are not known although their level is. */
  exceptIds: number[]
}

const parameterMaxLength = 6000

/** The words that a learner knows, for the parameter `known`. */
export class KnownWords {
  level: Level | null
  readonly #wordIds: Set<number>
  readonly #exceptIds: Set<number>

  constructor({ level = null, wordIds = [], exceptIds = [] }: Partial<KnownWordsRecord> = {}) {
    this.level = level
    this.#wordIds = new Set(wordIds)
    this.#exceptIds = new Set(exceptIds)
  }

  /** Reads the text of the parameter `known`. @throws {RangeError} it is not one */
  static parse(text: string): KnownWords {
    const known = new KnownWords()
    for (const item of text.split(',').map((part) => part.trim())) {
      if (item.startsWith('p.')) for (const id of unpackIds(item)) known.#wordIds.add(id)
      else if (/^[ABC][12]$/.test(item)) {
        if (known.level === null || item > known.level) known.level = item as Level
      } else if (/^\d+$/.test(item)) known.#wordIds.add(Number(item))
      else if (/^-\d+$/.test(item)) known.#exceptIds.add(Number(item.slice(1)))
      else if (item !== '') throw new RangeError(`${JSON.stringify(item)} is no part of a set`)
    }
    return known
  }

  /**
   * Adds the words with these spellings, with one request for every 100 spellings. Returns the
   * spellings for which there is no word.
   */
  async addSpellings(
    client: Pick<Operations, 'listWords'>,
    spellings: Iterable<string>,
    options?: CallOptions & { language?: string | undefined },
  ): Promise<string[]> {
    const { words, missing } = await wordsBySpelling(client, spellings, options)
    this.add(...words.map(({ wordId }) => wordId))
    return missing
  }

  add(...wordIds: number[]): void {
    for (const id of wordIds) {
      this.#exceptIds.delete(id)
      this.#wordIds.add(id)
    }
  }

  /** Removes words, whether an id or the level names them. */
  remove(...wordIds: number[]): void {
    for (const id of wordIds) {
      this.#wordIds.delete(id)
      if (this.level !== null) this.#exceptIds.add(id)
    }
  }

  /** Whether the learner knows a word. */
  has({ wordId, level }: { wordId: number; level: Level }): boolean {
    if (this.#exceptIds.has(wordId)) return false
    return this.#wordIds.has(wordId) || (this.level !== null && level <= this.level)
  }

  /**
   * Returns the value of the parameter `known`, with the ids packed if that is shorter.
   *
   * @throws {RangeError} the value is longer than the service accepts
   */
  async toParameter(): Promise<string> {
    const ids = [...this.#wordIds]
    const packedIds = ids.length > 0 ? await packIds(ids) : ''
    const list = ids.join()
    const except = [...this.#exceptIds].map((id) => `-${id}`)
    const items = [this.level ?? '', packedIds.length < list.length ? packedIds : list, ...except]
    // Without any item, the parameter would count as absent.
    const text = items.filter(Boolean).join() || (await packIds([]))
    if (text.length <= parameterMaxLength) return text
    throw new RangeError(
      `the set has ${text.length} characters, and known has at most ${parameterMaxLength}: set a level for the words that the learner knows`,
    )
  }

  /** Returns the set for `JSON.stringify`. Pass the parsed record to the constructor. */
  toJSON(): KnownWordsRecord {
    const ascending = (ids: Set<number>) => [...ids].sort((a, b) => a - b)
    return { level: this.level, wordIds: ascending(this.#wordIds), exceptIds: ascending(this.#exceptIds) }
  }
}
