import type { StoredFormat } from '#kit/stored-format.ts'
import type { RedisClient } from './client.ts'

/**
 * The keys of the store (`keys.ts`).
 *
 * A migration may run twice, also at the same time, because a process can end half-way and several
 * may open the store. It must not change what processes of the previous version read and write.
 */
export const redisFormat: StoredFormat<(client: RedisClient) => Promise<void>> = {
  firstVersion: 3,
  migrations: [],
  adviceForOld: 'Use an empty Redis, or another database of this one, and create new keys',
}
