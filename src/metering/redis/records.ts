import type { Plan } from '#contract/plans.ts'
import { formatPlan } from '../account-record.ts'
import type { Counts, ListName, Records, SwapOptions } from '../records.ts'
import { ours, unfinishedMark } from './claim.ts'
import type { RedisConnection } from './connection.ts'
import { countsKey, keyWindow, listKey, storeMark, textKey } from './keys.ts'
import { scripts } from './script.ts'

/**
 * The number of lines to read at once. A long list may take long, but each batch must be in time.
 */
const batchSize = 500

/** Returns the field of a plan in the counts of an account. */
const planField = (startMs: number | string) => `${startMs}:plan`

/** The records in Redis, with one command or script per call. */
export class RedisRecords implements Records {
  readonly #redis: RedisConnection
  readonly #fixedNow: () => string

  /** @param fixedNow returns the time in milliseconds, or '' for the server's own */
  constructor(redis: RedisConnection, fixedNow: () => string) {
    this.#redis = redis
    this.#fixedNow = fixedNow
  }

  async now(): Promise<number> {
    const fixed = this.#fixedNow()
    if (fixed !== '') return Number(fixed)
    const reply = await this.#use(() => this.#redis.send(storeMark, ['TIME']))
    const [seconds, micros] = reply as [string, string]
    return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000)
  }

  async get(name: string): Promise<string | null> {
    return (await this.#command('GET', textKey(name))) as string | null
  }

  async swap(
    name: string,
    from: string | null,
    to: string | null,
    { lifeMs, note }: SwapOptions = {},
  ): Promise<boolean> {
    const keys = [textKey(name), ...(note ? [countsKey(note.id)] : [])]
    const noteFields = note ? [planField(note.startMs), formatPlan(note.plan)] : []
    const args = [from ?? '', to ?? '', String(lifeMs ?? ''), ...noteFields]
    return (await this.#use(() => this.#redis.run(scripts.swap, keys, args))) === 1
  }

  async append(list: ListName, line: string, keep?: number): Promise<void> {
    await this.#command('RPUSH', listKey(list), line)
    if (keep !== undefined) await this.#command('LTRIM', listKey(list), String(-keep), '-1')
  }

  async drop(list: ListName, line: string): Promise<void> {
    await this.#command('LREM', listKey(list), '0', line)
  }

  async *lines(list: ListName): AsyncGenerator<string[]> {
    for (let from = 0; ; from += batchSize) {
      const range = [String(from), String(from + batchSize - 1)]
      const batch = (await this.#command('LRANGE', listKey(list), ...range)) as string[]
      yield batch
      if (batch.length < batchSize) return
    }
  }

  async counts(id: string, keyId?: string): Promise<Counts> {
    const fields = (await this.#command('HGETALL', countsKey(id, keyId))) as Record<string, string>
    const { latest, ...ofPeriods } = fields
    const starts = new Set(Object.keys(ofPeriods).map((field) => Number.parseInt(field)))
    const periods = [...starts].map((startMs) => {
      const plan = fields[planField(startMs)]
      const notedPlan = plan === undefined ? null : (JSON.parse(plan) as Plan)
      return { startMs, requests: Number(fields[startMs] ?? 0), plan: notedPlan }
    })
    return {
      latestMs: latest === undefined ? null : Number(latest),
      periods: periods
        .filter(({ requests, plan }) => requests > 0 || plan)
        .sort((a, b) => a.startMs - b.startMs),
    }
  }

  async addCounts({ latestMs, periods }: Counts, id: string, keyId?: string): Promise<void> {
    const fields = periods.flatMap(({ startMs, requests, plan }) => [
      String(startMs),
      String(requests),
      ...(plan ? [planField(startMs), formatPlan(plan)] : []),
    ])
    if (latestMs !== null) fields.push('latest', String(latestMs))
    if (fields.length > 0) await this.#command('HSET', countsKey(id, keyId), ...fields)
  }

  async dropCounts(id: string, keyId?: string): Promise<void> {
    await this.#command('DEL', countsKey(id, keyId))
    if (keyId !== undefined) await this.#command('DEL', keyWindow(id, keyId))
  }

  /**
   * This is too much work for a Redis transaction, so the store is marked as unfinished until it is
   * done.
   */
  async filling(work: () => Promise<void>): Promise<void> {
    await this.#command('SET', storeMark, unfinishedMark)
    await work()
    await this.#command('SET', storeMark, ours)
  }

  async #command(name: string, key: string, ...args: string[]) {
    return await this.#use(() => this.#redis.send(key, [name, key, ...args]))
  }

  /** Works only while Redis has the store, because an empty Redis must not become a new store. */
  async #use<T>(work: () => Promise<T>): Promise<T> {
    return await this.#redis.within('use the store', async () => {
      await this.#redis.checkStore()
      return await work()
    })
  }
}
