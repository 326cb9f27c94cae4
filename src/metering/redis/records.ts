import type { Plan } from '#contract/plans.ts'
import { formatPlan } from '../account-record.ts'
import type { Records } from '../records.ts'
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

/**
 * The records in Redis, with one command or script per call.
 *
 * @param fixedNow the time in milliseconds, or empty for the server's own
 */
export function redisRecords(redis: RedisConnection, fixedNow: () => string): Records {
  /** Works only while Redis has the store, because an empty Redis must not become a new store. */
  const use = <T>(work: () => Promise<T>) =>
    redis.within('use the store', async () => {
      await redis.checkStore()
      return await work()
    })
  const command = (name: string, key: string, ...args: string[]) =>
    use(() => redis.send(key, [name, key, ...args]))
  return {
    async now() {
      const fixed = fixedNow()
      if (fixed !== '') return Number(fixed)
      const [seconds, micros] = (await use(() => redis.send(storeMark, ['TIME']))) as [string, string]
      return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000)
    },

    get: async (name) => (await command('GET', textKey(name))) as string | null,

    async swap(name, from, to, { lifeMs, note } = {}) {
      const keys = [textKey(name), ...(note ? [countsKey(note.id)] : [])]
      const noteFields = note ? [planField(note.startMs), formatPlan(note.plan)] : []
      const args = [from ?? '', to ?? '', String(lifeMs ?? ''), ...noteFields]
      return (await use(() => redis.run(scripts.swap, keys, args))) === 1
    },

    async append(list, line, keep) {
      await command('RPUSH', listKey(list), line)
      if (keep !== undefined) await command('LTRIM', listKey(list), String(-keep), '-1')
    },

    async drop(list, line) {
      await command('LREM', listKey(list), '0', line)
    },

    async *lines(list) {
      for (let from = 0; ; from += batchSize) {
        const range = [String(from), String(from + batchSize - 1)]
        const batch = (await command('LRANGE', listKey(list), ...range)) as string[]
        yield batch
        if (batch.length < batchSize) return
      }
    },

    async counts(id, keyId) {
      const fields = (await command('HGETALL', countsKey(id, keyId))) as Record<string, string>
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
    },

    async addCounts({ latestMs, periods }, id, keyId) {
      const fields = periods.flatMap(({ startMs, requests, plan }) => [
        String(startMs),
        String(requests),
        ...(plan ? [planField(startMs), formatPlan(plan)] : []),
      ])
      if (latestMs !== null) fields.push('latest', String(latestMs))
      if (fields.length > 0) await command('HSET', countsKey(id, keyId), ...fields)
    },

    async dropCounts(id, keyId) {
      await command('DEL', countsKey(id, keyId))
      if (keyId !== undefined) await command('DEL', keyWindow(id, keyId))
    },

    /**
     * This is too much for a Redis transaction, so the store is marked as unfinished until it is
     * done.
     */
    async filling(work) {
      await command('SET', storeMark, unfinishedMark)
      await work()
      await command('SET', storeMark, ours)
    },
  }
}
