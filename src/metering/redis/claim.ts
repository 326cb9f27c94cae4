import { randomUUID } from 'node:crypto'
import { currentVersion, migrationsFrom, UnreadableVersion } from '#kit/stored-format.ts'
import { Unsuitable, type RedisClient } from './client.ts'
import { listKey, storeId, storeMark } from './keys.ts'
import { redisFormat } from './store-format.ts'

const mark = 'clip-lookup meter '
/** The mark of a store that can be opened. */
export const ours = mark + currentVersion(redisFormat)
/** The mark while another store is copied into it. */
export const unfinishedMark = `${mark}unfinished`

/** Redis has no store: it was never created, or Redis was emptied. */
export class NoStore extends Error {
  readonly hasAdvice = true
}

/**
 * Checks that a Redis contains a store, and migrates an older one. With `mayCreate`, creates one if
 * there is none. Safe for many processes at once. Returns the id of the store.
 *
 * @throws {NoStore}
 * @throws {Unsuitable} it contains keys of another program, a store of another version, or one that
 *   has lost its mark
 */
export async function claim(client: RedisClient, mayCreate: boolean): Promise<string> {
  const ask = (name: string, key: string, ...args: string[]) => client.send(key, [name, key, ...args])
  const readMark = async () => {
    // A key that is not text belongs to another program.
    const type = await ask('TYPE', storeMark)
    return type === 'string' || type === 'none' ? await ask('GET', storeMark) : ''
  }
  let markText = (await readMark()) as string | null
  if (markText === null) {
    if ((await ask('EXISTS', listKey('accounts'))) === 1)
      throw new Unsuitable(
        `it has accounts, but its "${storeMark}" is missing, and other data may be too. Restore a copy of its data`,
      )
    if (!mayCreate)
      throw new NoStore(
        'it has no store, or has lost it. Restore a copy of its data or, only if it never had a store, create one with "keys create" or "serve --init-store"',
      )
    // Another process may have created one in the meantime.
    markText = ((await ask('SET', storeMark, ours, 'NX', 'GET')) as string | null) ?? ours
  }
  if (markText === unfinishedMark)
    throw new Unsuitable('a copy into it was not finished. Empty it and copy again')
  if (!markText.startsWith(mark))
    throw new Unsuitable(`its "${storeMark}" is not that of a clip-lookup store. Check the address`)
  const migrations = migrationsOf(markText)
  for (const migrate of migrations) await migrate(client)
  if (migrations.length > 0) await ask('SET', storeMark, ours)
  const fresh = randomUUID()
  return ((await ask('SET', storeId, fresh, 'NX', 'GET')) as string | null) ?? fresh
}

/** @throws {Unsuitable} the store has a version that this program does not read */
function migrationsOf(markText: string): typeof redisFormat.migrations {
  try {
    return migrationsFrom(redisFormat, Number(markText.slice(mark.length)), 'it')
  } catch (error) {
    throw error instanceof UnreadableVersion ? new Unsuitable(error.message) : error
  }
}
