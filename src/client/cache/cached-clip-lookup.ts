import type { CallOptions } from '../call-options.ts'
import type { ClipLookup } from '../clip-lookup.ts'
import { ClipLookupError } from '../error.ts'
import {
  publicOperations,
  type Clip,
  type ClipBatch,
  type ListClipsParameters,
  type OperationId,
  type Operations,
} from '../operations.ts'
import { orAbort, withDeadline } from '../wait.ts'
import { LimitedStorage, releaseKey } from './limited-storage.ts'
import { memoryStorage, type CacheStorage } from './storage.ts'

export { indexedDbStorage, memoryStorage, type CacheStorage } from './storage.ts'

/** The options of a cache. */
export interface CacheOptions {
  /** Keeps clips and transcripts; memory by default. */
  storage?: CacheStorage | undefined
  /** The largest size of the clips and transcripts, 50 million characters by default. */
  maxSize?: number | undefined
  /** The time after which the cache asks for changes before it answers, 1 hour by default. */
  refreshMs?: number | undefined
}

const listsMax = 200
/** The longest pause after a failed update. Without it, every call would wait for the retries. */
const failurePauseMs = 60_000
/**
 * The cache of a browser would return a changed clip for a year, and old changes for a day. Unlike
 * `reload`, every runtime with such a cache accepts `no-store`.
 */
const noStore: CallOptions = { cache: 'no-store' }
/** The operations that do not count as look-ups. */
const freeOperations: readonly OperationId[] = [...publicOperations, 'getUsage']

/**
 * A client with a cache. Clips and transcripts are kept until `/changes` names them, lists as long
 * as their `max-age`; equal calls at the same time share a request. Feeds and usage are not cached.
 *
 * Invariant: a record in the storage is that of the release `since` or of a later one. `since` is
 * stored before any record, and stays one update behind, so that the next update names a record
 * from a server that was late to load a release.
 */
export class CachedClipLookup implements Operations {
  readonly getFeed: Operations['getFeed']
  readonly getChanges: Operations['getChanges']
  readonly getUsage: Operations['getUsage']
  readonly getOpenApi: Operations['getOpenApi']
  readonly listWords: Operations['listWords'] = this.#listMethod('listWords')
  readonly getWord: Operations['getWord'] = this.#listMethod('getWord')
  readonly listWordClips: Operations['listWordClips'] = this.#listMethod('listWordClips')
  readonly searchSentences: Operations['searchSentences'] = this.#listMethod('searchSentences')
  readonly getCorpus: Operations['getCorpus'] = this.#listMethod('getCorpus')
  readonly getClip: Operations['getClip'] = this.#recordMethod('getClip')
  readonly getTranscript: Operations['getTranscript'] = this.#recordMethod('getTranscript')
  /** The look-ups that the cache has saved, and those that it has made. */
  readonly stats = { saved: 0, made: 0 }

  readonly #client: ClipLookup
  readonly #records: LimitedStorage
  readonly #storage: CacheStorage
  readonly #refreshMs: number
  readonly #lists = new Map<string, { text: string; endMs: number }>()
  readonly #running = new Map<string, Promise<string>>()
  #refreshAtMs = -Infinity
  #updating: Promise<void> | null = null
  /** The number of updates. A record that was requested before an update is not stored after it. */
  #epoch = 0

  constructor(client: ClipLookup, options: CacheOptions = {}) {
    const { storage = memoryStorage(), maxSize = 50_000_000, refreshMs = 3_600_000 } = options
    this.#client = client
    this.#storage = storage
    this.#records = new LimitedStorage(storage, maxSize)
    this.#refreshMs = refreshMs
    this.getFeed = client.getFeed
    this.getChanges = client.getChanges
    this.getUsage = client.getUsage
    this.getOpenApi = client.getOpenApi
  }

  /** Returns clips, and requests only those that are not in the cache. */
  readonly listClips: Operations['listClips'] = (parameters, options = {}) =>
    withDeadline(options, (signal) => this.#listClips(parameters, signal))

  async #listClips(parameters: ListClipsParameters, signal: AbortSignal) {
    await this.#refresh(signal)
    const ids = String(parameters.ids).split(',').map(normalId).filter(Boolean)
    const clipsById = new Map<string, Clip>()
    for (const id of ids) {
      const text = await this.#stored('getClip', id)
      if (text) clipsById.set(id, JSON.parse(text) as Clip)
    }
    const missingIds = [...new Set(ids)].filter((id) => !clipsById.has(id))
    if (ids.length > 0 && missingIds.length === 0) this.stats.saved++
    else {
      const text = await this.#share(`listClips/${missingIds.join()}`, signal, async () => {
        const epoch = this.#epoch
        const { items } = await this.#client.listClips({ ids: missingIds }, noStore)
        for (const clip of items)
          if (epoch === this.#epoch) await this.#store('getClip', clip.videoId, JSON.stringify(clip))
        return JSON.stringify(items)
      })
      for (const clip of JSON.parse(text) as Clip[])
        for (const id of [clip.clipId, clip.videoId]) clipsById.set(id, clip)
    }
    const clips = new Map(ids.flatMap((id) => clipsById.get(id) ?? []).map((clip) => [clip.clipId, clip]))
    const missing = [...new Set(ids)].filter((id) => !clipsById.has(id))
    return { items: [...clips.values()], missing } satisfies ClipBatch
  }

  /**
   * Removes what has changed since the last update. Calls do that by themselves, when the last
   * update is older than `refreshMs`.
   */
  update(): Promise<void> {
    this.#updating ??= this.#update().finally(() => (this.#updating = null))
    return this.#updating
  }

  async #update(): Promise<void> {
    const startMs = Date.now()
    const [since, next] = JSON.parse((await this.#storage.get(releaseKey)) ?? '[]') as string[]
    let to = next
    try {
      if (since !== undefined) {
        const changes = await this.#client.getChanges({ since }, noStore)
        this.#epoch++
        for (const id of [...changes.clips.changed, ...changes.clips.withdrawn]) await this.#purge(id)
        if (changes.to !== next) this.#lists.clear()
        to = changes.to
      }
    } catch (error) {
      if (!(error instanceof ClipLookupError) || !error.is('not_found')) throw error
      to = undefined
    }
    if (to === undefined) {
      // The changes since then are unknown.
      to = (await this.#client.getCorpus({}, noStore)).release
      this.#epoch++
      this.#lists.clear()
      await this.#records.clear()
      await this.#storage.set(releaseKey, JSON.stringify([to, to]))
    } else if (to !== since || to !== next) await this.#storage.set(releaseKey, JSON.stringify([next, to]))
    this.#refreshAtMs = startMs + this.#refreshMs
  }

  /**
   * Updates if it is time. If the service cannot be reached, or the call ends sooner, the cache
   * answers with what it has, and tries again after a pause.
   */
  async #refresh(signal: AbortSignal): Promise<void> {
    if (Date.now() < this.#refreshAtMs) return
    const isFilled = (await this.#storage.get(releaseKey)) !== undefined
    try {
      await orAbort(this.update(), signal)
    } catch (error) {
      if (!isFilled || !(error instanceof ClipLookupError)) throw error
      this.#refreshAtMs = Date.now() + Math.min(this.#refreshMs, failurePauseMs)
    }
  }

  async #purge(clipId: string): Promise<void> {
    await this.#records.delete(`getClip/${clipId}`)
    await this.#records.delete(`getTranscript/${clipId}`)
  }

  /** Returns the text of a record; the id is a clip id or a video id. */
  async #stored(operation: 'getClip' | 'getTranscript', id: string): Promise<string | undefined> {
    const text = await this.#records.get(`${operation}/${id}`)
    if (text !== undefined) return text
    const clipId = await this.#records.get(`id/${id}`)
    return clipId === undefined ? undefined : await this.#records.get(`${operation}/${clipId}`)
  }

  async #store(operation: 'getClip' | 'getTranscript', id: string, text: string): Promise<void> {
    const { clipId } = JSON.parse(text) as Clip
    await this.#records.set(`${operation}/${clipId}`, text)
    if (id !== clipId) await this.#records.set(`id/${id}`, clipId)
  }

  #recordMethod<Id extends 'getClip' | 'getTranscript'>(operation: Id): Operations[Id] {
    const method = ({ clipId }: { clipId: string }, options: CallOptions = {}) =>
      withDeadline(options, async (signal) => {
        const id = normalId(clipId)
        await this.#refresh(signal)
        const text = await this.#stored(operation, id)
        if (text !== undefined) this.stats.saved++
        return JSON.parse(
          text ??
            (await this.#share(`${operation}/${id}`, signal, async () => {
              const epoch = this.#epoch
              const record = JSON.stringify(await this.#client[operation]({ clipId: id }, noStore))
              if (epoch === this.#epoch) await this.#store(operation, id, record)
              return record
            })),
        ) as unknown
      })
    return method as Operations[Id]
  }

  #listMethod<Id extends OperationId>(id: Id): Operations[Id] {
    const method = async (parameters: object = {}, options: CallOptions = {}) => {
      const entries = Object.entries(parameters).filter(([, value]) => value !== undefined)
      const query = new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))
      query.sort()
      const key = `${id}?${query}`
      const isMetered = !freeOperations.includes(id)
      const list = this.#lists.get(key)
      if (list && list.endMs > Date.now()) {
        if (isMetered) this.stats.saved++
        return JSON.parse(list.text) as unknown
      }
      const send = async () => {
        const { record, headers } = await this.#client.call(id, parameters)
        const text = JSON.stringify(record)
        this.#keepList(key, text, headers)
        return text
      }
      return JSON.parse(await withDeadline(options, (signal) => this.#share(key, signal, send))) as unknown
    }
    return method as Operations[Id]
  }

  #keepList(key: string, text: string, headers: Headers): void {
    const maxAgeS = Number(/max-age=(\d+)/.exec(headers.get('Cache-Control') ?? '')?.[1] ?? 0)
    this.#lists.delete(key)
    if (maxAgeS > 0) this.#lists.set(key, { text, endMs: Date.now() + maxAgeS * 1000 })
    if (this.#lists.size > listsMax) this.#lists.delete(this.#lists.keys().next().value!)
  }

  /** Shares a request with equal calls. A call that is aborted does not end it for the others. */
  async #share(key: string, signal: AbortSignal, send: () => Promise<string>): Promise<string> {
    signal.throwIfAborted()
    let running = this.#running.get(key)
    const lookUps = freeOperations.some((id) => key.startsWith(id)) ? 0 : 1
    if (running) this.stats.saved += lookUps
    else {
      running = this.#count(send(), lookUps).finally(() => this.#running.delete(key))
      this.#running.set(key, running)
    }
    return await orAbort(running, signal)
  }

  /** Counts a request if it succeeds, or if the clip or word is unknown: both are look-ups. */
  async #count(request: Promise<string>, lookUps: number): Promise<string> {
    try {
      const text = await request
      this.stats.made += lookUps
      return text
    } catch (error) {
      if (error instanceof ClipLookupError && error.is('not_found')) this.stats.made += lookUps
      throw error
    }
  }
}

/** Clip ids are sent in any case; video ids are case-sensitive. */
function normalId(id: string): string {
  const text = id.trim()
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text) ? text.toLowerCase() : text
}
