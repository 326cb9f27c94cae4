import { LRUCache } from 'lru-cache'
import { textHash } from '#kit/text-hash.ts'
import type { DataFile } from '#release/paths.ts'
import type { Release } from '#release/release.ts'
import type { Client } from '#release/tree.ts'
import { Body, payloadOf } from './body.ts'
import type { Match } from './match.ts'

/** How much each cache may hold. */
const maxSize = 64 * 1024 * 1024
/** For the entry itself and the header fields of its codings. */
const overheadBytes = 2048

/** What an entry takes: the codings of JSON that will be made take less than the body itself. */
function sizeOf({ payload }: Body, name: string): number {
  return 2 * payload.length + name.length + overheadBytes
}

/**
 * The published files that were requested recently. The bytes of a name never change, so a cached
 * file stays valid from release to release.
 */
export class FileCache {
  readonly #files: LRUCache<string, Body, { release: Release; file: DataFile; client?: Client | undefined }>
  readonly count = { hits: 0, misses: 0 }

  constructor(maxFilesSize = maxSize) {
    this.#files = new LRUCache({
      maxSize: maxFilesSize,
      sizeCalculation: sizeOf,
      ignoreFetchAbort: true,
      fetchMethod: (_path, _body, { context: { release, file, client } }) =>
        release.read(file, client).then((bytes) => new Body(payloadOf(bytes), file.digest)),
    })
  }

  /**
   * A file under `data/`: at once if it is cached. Only the first client's request for a file
   * reaches an origin; further requests wait for the same read.
   *
   * @throws {TreeFault} the file cannot be read, or has other bytes, which callers would cache for
   * a year
   */
  read(release: Release, file: DataFile, client?: Client): Body | Promise<Body> {
    const cached = this.#files.get(file.path)
    if (cached) this.count.hits++
    else this.count.misses++
    return cached ?? this.#files.forceFetch(file.path, { context: { release, file, client } })
  }
}

const slotCount = 4096

/** The answer to a request target, and the operation that the target names. */
interface CachedAnswer {
  url: string
  match: Match
  body: Body
}

/**
 * The answers to request targets that were repeated: each is made and compressed once for as long
 * as its release is in service.
 *
 * Most targets come once. They are kept out by a doorkeeper (Einziger, Friedman and Manes,
 * "TinyLFU", 2017), because what outlives the young generation of the heap costs more to collect
 * than to make. Entries are found by the hash of their target: a Map of targets would enter each in
 * V8's string table.
 */
export class AnswerCache {
  #release: Release | null = null
  readonly #answers = new LRUCache<number, CachedAnswer>({
    maxSize,
    sizeCalculation: ({ url, body }) => sizeOf(body, url),
  })
  /** The hashes of recent targets, each in its slot until another one takes it. */
  readonly #recent = new Int32Array(slotCount)
  /** How many answers were sent from the cache, and how many were made. */
  readonly count = { hits: 0, misses: 0 }

  /** The cached answer to a target. */
  get(release: Release | null, url: string): CachedAnswer | undefined {
    if (this.#release !== release) {
      this.#release = release
      this.#answers.clear()
    }
    const cached = this.#answers.get(hashOf(url))
    return cached?.url === url ? cached : undefined
  }

  /** Caches an answer if its target was asked for recently. It must follow from both alone. */
  add(release: Release, answer: CachedAnswer): void {
    this.count.misses++
    const hash = hashOf(answer.url)
    const slot = hash & (slotCount - 1)
    if (this.#recent[slot] === hash && this.#release === release) this.#answers.set(hash, answer)
    this.#recent[slot] = hash
  }
}

/** A signed 32-bit number: V8 stores those without an object. */
function hashOf(url: string): number {
  return textHash(url) | 0
}
