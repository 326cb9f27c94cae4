import { randomBytes } from 'node:crypto'
import type { AccountRecord, Directory, KeyRecord, NewKey, PeriodCount, QuotaState } from '../store.ts'
import { deleteAccount, renameAccount } from './account-keys.ts'
import type { RedisConnection } from './connection.ts'
import type { RedisCounters } from './counters.ts'
import * as names from './keys.ts'
import * as scripts from './directory-scripts.ts'
import type { Script } from './script.ts'

/**
 * How many accounts or keys are read at once. A long list may take long, but each batch must be in
 * time.
 */
const batchSize = 500

/** Accounts and keys in Redis. */
export class RedisDirectory implements Directory {
  readonly #redis: RedisConnection
  readonly #counters: RedisCounters
  readonly #now: () => string

  /**
   * `counters` read the period of an account. `now` returns the time in milliseconds, or empty: the
   * server's own.
   */
  constructor(redis: RedisConnection, counters: RedisCounters, now: () => string) {
    this.#redis = redis
    this.#counters = counters
    this.#now = now
  }

  async cursorSecret(): Promise<Buffer> {
    const fresh = randomBytes(32).toString('base64')
    const kept = await this.#write('read the secret that signs cursors', () =>
      this.#redis.command('SET', names.cursorSecret, fresh, 'NX', 'GET'),
    )
    return Buffer.from((kept ?? fresh) as string, 'base64')
  }

  /** Adds it to the index first: an account that is missing there would never be listed. */
  async createAccount(account: string, plan: string): Promise<AccountRecord | null> {
    return await this.#write(`create the account "${account}"`, async () => {
      await this.#redis.run(scripts.addToIndex, [names.accountIndex], [account])
      const args = [this.#now(), plan]
      const fields = await this.#redis.run(scripts.createAccount, [names.accountRecord(account)], args)
      return fields === null ? null : toAccountRecord(account, fields)
    })
  }

  async countSignUp(address: string, perDay: number): Promise<boolean> {
    const args = [this.#now(), String(perDay)]
    return await this.#write(
      'count the sign-up',
      async () => (await this.#redis.run(scripts.countSignUp, [names.signUps(address)], args)) === 1,
    )
  }

  async account(name: string): Promise<AccountRecord | null> {
    return await this.#redis.within('read the account', () => this.#readAccount(name))
  }

  async accounts(): Promise<AccountRecord[]> {
    return await this.#list('read the accounts', names.accountIndex, (name) => this.#readAccount(name))
  }

  async setPlan(account: string, plan: string): Promise<AccountRecord | null> {
    return await this.#write('change the plan', async () => {
      const fields = await this.#redis.run(scripts.changePlan, [names.accountRecord(account)], [plan])
      return toAccountRecord(account, fields)
    })
  }

  async quota(account: string): Promise<QuotaState | null> {
    return await this.#redis.within('read the quota', () => this.#counters.quota(account))
  }

  async periods(account: string): Promise<PeriodCount[]> {
    return await this.#redis.within('read the periods', async () => {
      const reply = (await this.#redis.command('HGETALL', names.periods(account))) as Record<string, string>
      return Object.entries(reply)
        .map(([startMs, requests]) => ({ startMs: Number(startMs), requests: Number(requests) }))
        .sort((a, b) => a.startMs - b.startMs)
    })
  }

  async renameAccount(account: string, name: string): Promise<AccountRecord | null> {
    await this.#redis.checkStore()
    return (await renameAccount(this.#redis, account, name)) ? await this.account(name) : null
  }

  async deleteAccount(account: string): Promise<AccountRecord | null> {
    await this.#redis.checkStore()
    const record = await this.account(account)
    if (record) await deleteAccount(this.#redis, account)
    return record
  }

  async addKey(account: string, key: NewKey): Promise<KeyRecord> {
    return await this.#write('add the key', async () => {
      if (!(await this.#readAccount(account))) throw new Error(`cannot add a key: no account "${account}"`)
      await this.#pointTo(account, key)
      const keys = [names.accountRecord(account), names.keyRecord(account, key.keyId)]
      return await this.#createKey(account, key, keys, [])
    })
  }

  async keys(): Promise<KeyRecord[]> {
    return await this.#list('read the keys', names.keyIndex, (keyId) => this.#readKey(keyId))
  }

  async setKeyEnabled(keyId: string, enabled: boolean): Promise<KeyRecord | null> {
    return await this.#write('change the key', () =>
      this.#runOnKey(keyId, scripts.enableKey, [enabled ? '1' : '0']),
    )
  }

  async rotateKey(keyId: string, next: NewKey, overlapMs: number): Promise<KeyRecord | null> {
    return await this.#write('rotate the key', async () => {
      const old = await this.#readKey(keyId)
      if (!old) return null
      await this.#pointTo(old.account, next)
      const keys = [
        names.accountRecord(old.account),
        names.keyRecord(old.account, next.keyId),
        names.keyRecord(old.account, keyId),
      ]
      return await this.#createKey(old.account, next, keys, [String(overlapMs)])
    })
  }

  /** Runs a write, if Redis still holds the store: an empty Redis must not become a new store. */
  async #write<T>(action: string, work: () => Promise<T>): Promise<T> {
    return await this.#redis.within(action, async () => {
      await this.#redis.checkStore()
      return await work()
    })
  }

  async #readAccount(name: string): Promise<AccountRecord | null> {
    const fields = await this.#redis.command('HMGET', names.accountRecord(name), 'plan', 'createdAtMs')
    return toAccountRecord(name, fields)
  }

  async #readKey(keyId: string): Promise<KeyRecord | null> {
    return await this.#runOnKey(keyId, scripts.readKey, [])
  }

  async #runOnKey(keyId: string, script: Script, args: string[]): Promise<KeyRecord | null> {
    const account = (await this.#redis.command('GET', names.keyPointer(keyId))) as string | null
    if (account === null) return null
    const keys = [names.accountRecord(account), names.keyRecord(account, keyId)]
    return toKeyRecord(keyId, account, await this.#redis.run(script, keys, args))
  }

  /**
   * Writes the pointers to a key before the key: they are in other slots, so this cannot be one
   * step. A crash in between leaves pointers to nothing, which are not a key; its text was not
   * shown yet.
   */
  async #pointTo(account: string, { keyId, digest }: NewKey): Promise<void> {
    const { keyPointer, digestPointer, keyIndex } = names
    const pointers: [string, string][] = [
      [keyPointer(keyId), account],
      [digestPointer(digest), `${keyId} ${account}`],
    ]
    for (const [name, target] of pointers) {
      const held = await this.#redis.command('SET', name, target, 'NX', 'GET')
      if (held !== null && held !== target)
        throw new Error(`cannot add the key "${keyId}": it exists already`)
    }
    await this.#redis.run(scripts.addToIndex, [keyIndex], [keyId])
  }

  async #createKey(account: string, key: NewKey, keys: string[], expiry: string[]): Promise<KeyRecord> {
    const args = [this.#now(), key.prefix, key.last4, ...expiry]
    const fields = await this.#redis.run(scripts.createKey, keys, args)
    if (fields === null) throw new Error(`cannot add the key "${key.keyId}": it exists already`)
    return toKeyRecord(key.keyId, account, fields)!
  }

  /** Reads the records of an index, in batches. Leaves out names whose record was never written. */
  async #list<T>(action: string, index: string, read: (name: string) => Promise<T | null>): Promise<T[]> {
    const records: T[] = []
    for (let from = 0; ; from += batchSize) {
      const batch = await this.#redis.within(action, async () => {
        const last = String(from + batchSize - 1)
        const members = await this.#redis.command('ZRANGE', index, String(from), last)
        return await Promise.all((members as string[]).map(read))
      })
      records.push(...batch.filter((record) => record !== null))
      if (batch.length < batchSize) return records
    }
  }
}

function toAccountRecord(account: string, fields: unknown): AccountRecord | null {
  const [plan, createdAtMs] = fields as [string | null, string | null]
  return plan === null ? null : { account, plan, createdAtMs: Number(createdAtMs) }
}

function toKeyRecord(keyId: string, account: string, fields: unknown): KeyRecord | null {
  const [plan, prefix, last4, enabled, createdAtMs, expiresAtMs] = fields as (string | null)[]
  if (prefix == null) return null
  return {
    keyId,
    account,
    plan: plan!,
    prefix,
    last4: last4!,
    enabled: enabled === '1',
    createdAtMs: Number(createdAtMs),
    expiresAtMs: expiresAtMs == null ? null : Number(expiresAtMs),
  }
}
