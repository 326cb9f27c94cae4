import { LRUCache } from 'lru-cache'
import { isError, type ErrorAnswer } from '#contract/errors.ts'
import type { Operation, OperationId } from '#contract/operations.ts'
import { textHash } from '#kit/text-hash.ts'
import type { DataFile } from '#release/paths.ts'
import type { Release } from '#release/release.ts'
import type { Client } from '#release/tree.ts'
import { Body, payloadOf } from './body.ts'
import type { Match } from './match.ts'
import type { Values } from './read-parameters.ts'
import { TooBusy } from './refusals.ts'

/** The maximum size of each cache. */
const maxSize = 64 * 1024 * 1024
/** The size of the entry itself and the headers of its codings. */
const overheadBytes = 2048

/**
 * Returns the size of an entry with all its codings. Those of JSON take less than the body itself,
 * so the body is counted twice.
 */
function sizeOf({ payload }: Body, name: string): number {
  return 2 * payload.length + name.length + overheadBytes
}

/**
 * Recently requested files. The bytes under a name never change, so a file stays valid across
 * releases.
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
   * Returns a file under `data/`, at once if it is cached. Only the first client's request for a
   * file reaches an origin; further requests wait for the same read.
   *
   * @throws {TreeFault} the file cannot be read, or has unexpected bytes, which clients would cache
   *   for a year
   */
  read(release: Release, file: DataFile, client?: Client): Body | Promise<Body> {
    const cacheEntry = this.#files.get(file.path)
    if (cacheEntry) this.count.hits++
    else this.count.misses++
    return cacheEntry ?? this.#files.forceFetch(file.path, { context: { release, file, client } })
  }
}

const slotCount = 4096
/** The maximum length. Longer targets, which are hardly ever repeated, are always parsed. */
const maxTargetLength = 512

/** A request for an answer that others may share. */
interface Target {
  url: string
  match: Match
  /** The operation and its parameters: equal for targets that mean the same. */
  key: string
}

interface CachedBody {
  key: string
  body: Body
}

type Result = Body | ErrorAnswer

/**
 * The answers that depend only on a release, an operation and its parameters: each is computed and
 * compressed once while its release is in service. Requests share one that is being computed.
 *
 * Most answers are requested once. They are kept out by a doorkeeper (Einziger, Friedman and Manes,
 * "TinyLFU", 2017), because collecting what outlives the young generation of the heap costs more
 * than computing it. Entries are found by the hash of their key, because looking a key up in a Map
 * would add it to V8's string table. The targets of cached answers are also stored, so that a
 * request for one is answered before it is parsed.
 */
export class AnswerCache {
  #release: Release | null = null
  readonly #bodies = new LRUCache<number, CachedBody>({
    maxSize,
    sizeCalculation: ({ key, body }) => sizeOf(body, key),
  })
  /** The latest body that is larger than the cache. */
  #largeBody: CachedBody | null = null
  readonly #targets: (Target | undefined)[] = Array.from({ length: slotCount })
  /** The hashes of recent keys, each in its slot until another one replaces it. */
  readonly #recent = new Int32Array(slotCount)
  /** The answers that are being computed, keyed by the hash of their key. */
  #pending = new Map<number, { key: string; result: Promise<Result> }>()
  /** The number of answers being computed, for each operation with a limit. */
  readonly #pendingCounts = new Map<Operation, number>()
  /** The number of answers sent from the cache or shared, and of answers computed. */
  readonly count = { hits: 0, misses: 0 }

  /** Returns the cached answer to a target that was sent before in exactly the same form. */
  get(release: Release | null, url: string): { match: Match; body: Body } | undefined {
    if (this.#release !== release) {
      this.#release = release
      this.#bodies.clear()
      this.#largeBody = null
      this.#targets.fill(undefined)
      this.#pending = new Map()
    }
    const target = this.#targets[hashOf(url) & (slotCount - 1)]
    const body = target?.url === url ? this.#bodyOf(target.key) : undefined
    return body && { match: target!.match, body }
  }

  /**
   * Returns the answer to a target: the cached one, the one that is being computed, or the result
   * of `make`.
   *
   * @param makingMax for an answer that takes much work: it is cached at its first request, and no
   *   more than this many of its operation are made at once
   * @throws {TooBusy} as many are being computed
   */
  answer(
    release: Release,
    target: Target,
    make: () => Result | Promise<Result>,
    makingMax?: number,
  ): Result | Promise<Result> {
    // A request that began before the release in service shares nothing.
    if (release !== this.#release) return make()
    const { key, match } = target
    const hash = hashOf(key)
    const ready = this.#bodyOf(key, hash)
    if (ready) this.#remember(target)
    const pending = this.#pending
    const pendingAnswer = pending.get(hash)
    const sharedResult = ready ?? (pendingAnswer?.key === key ? pendingAnswer.result : undefined)
    if (sharedResult) {
      this.count.hits++
      return sharedResult
    }
    const making = this.#pendingCounts.get(match.operation) ?? 0
    if (making >= (makingMax ?? Infinity)) throw new TooBusy(match.operation.path)
    const result = make()
    const isExpensive = makingMax !== undefined
    if (!(result instanceof Promise)) return this.#add(release, target, hash, result, isExpensive)
    const entry = result.then((value) => this.#add(release, target, hash, value, isExpensive))
    const settle = () => {
      // Another answer with the same hash may have replaced it.
      if (pending.get(hash)?.result === entry) pending.delete(hash)
      if (isExpensive) this.#pendingCounts.set(match.operation, this.#pendingCounts.get(match.operation)! - 1)
    }
    pending.set(hash, { key, result: entry })
    if (isExpensive) this.#pendingCounts.set(match.operation, making + 1)
    entry.then(settle, settle)
    return entry
  }

  #bodyOf(key: string, hash = hashOf(key)): Body | undefined {
    const cacheEntry = this.#bodies.get(hash)
    if (cacheEntry?.key === key) return cacheEntry.body
    return this.#largeBody?.key === key ? this.#largeBody.body : undefined
  }

  #remember(target: Target): void {
    if (target.url.length <= maxTargetLength) this.#targets[hashOf(target.url) & (slotCount - 1)] = target
  }

  /** Caches a body if it took much work or its key was requested recently. Returns the result. */
  #add(release: Release, target: Target, hash: number, result: Result, isExpensive: boolean): Result {
    if (isError(result)) return result
    this.count.misses++
    const { key } = target
    const slot = hash & (slotCount - 1)
    if (this.#release === release && (isExpensive || this.#recent[slot] === hash)) {
      const cacheEntry = { key, body: result }
      if (sizeOf(result, key) > maxSize) this.#largeBody = cacheEntry
      else this.#bodies.set(hash, cacheEntry)
      this.#remember(target)
    }
    this.#recent[slot] = hash
    return result
  }
}

/** Returns the key of an operation with these parameters, in whatever order they were sent. */
export function answerKey(id: OperationId, values: Values): string {
  const byName = Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))
  return `${id} ${JSON.stringify(byName)}`
}

/** Returns a signed 32-bit number, which V8 stores without an object. */
function hashOf(text: string): number {
  return textHash(text) | 0
}
