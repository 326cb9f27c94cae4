import type { Plan } from '#contract/plans.ts'
import { formatPlan } from '../account-record.ts'
import type { Counts, ListName, Records, SwapOptions } from '../records.ts'
import { ours, unfinished } from './claim.ts'
import type { RedisConnection } from './connection.ts'
import { countsKey, keyWindow, listKey, storeMark, textKey } from './keys.ts'
import { scripts } from './script.ts'

/** How many lines are read at once: a long list may take long, but each batch must be in time. */
const batchSize = 500

/** The field of a plan in the counts of an account. */
const planField = (startMs: number | string) => `${startMs}:plan`

/** The records in Redis, one command or script a call. */
export class RedisRecords implements Records {
  readonly #redis: RedisConnection
  readonly #now: () => string

  /** @param now the time in milliseconds, or empty: the server's own */
  constructor(redis: RedisConnection, now: () => string) {
    this.#redis = redis
    this.#now = now
  }

  async now(): Promise<number> {
    const fixed = this.#now()
    if (fixed !== '') return Number(fixed)
    const time = await this.#use(() => this.#redis.send(storeMark, ['TIME']))
    const [seconds, micros] = time as [string, string]
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
    const noted = note ? [planField(note.startMs), formatPlan(note.plan)] : []
    const args = [from ?? '', to ?? '', String(lifeMs ?? ''), ...noted]
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
    const key = countsKey(id, keyId)
    const { latest, ...fields } = (await this.#command('HGETALL', key)) as Record<string, string>
    const starts = new Set(Object.keys(fields).map((field) => Number.parseInt(field)))
    const periods = [...starts].map((startMs) => {
      const plan = fields[planField(startMs)]
      const noted = plan === undefined ? null : (JSON.parse(plan) as Plan)
      return { startMs, requests: Number(fields[startMs] ?? 0), plan: noted }
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

  /** Too much for a transaction of Redis: until it is done, the store is marked as unfinished. */
  async filling(work: () => Promise<void>): Promise<void> {
    await this.#command('SET', storeMark, unfinished)
    await work()
    await this.#command('SET', storeMark, ours)
  }

  async #command(name: string, key: string, ...args: string[]): Promise<unknown> {
    return await this.#use(() => this.#redis.command(name, key, ...args))
  }

  /** Works only if Redis still holds the store: an empty Redis must not become a new store. */
  async #use<T>(work: () => Promise<T>): Promise<T> {
    return await this.#redis.within('use the store', async () => {
      await this.#redis.checkStore()
      return await work()
    })
  }
}
