import type { RedisConnection } from './connection.ts'
import * as names from './keys.ts'
import * as scripts from './scripts.ts'
import type { AccountRecord, KeyRecord, NewKey } from '../store.ts'

/** Accounts and keys in Redis. */
export class RedisAdministration {
  readonly #redis: RedisConnection
  readonly #now: () => string

  /** @param now the time in milliseconds, or empty: the server's own */
  constructor(redis: RedisConnection, now: () => string) {
    this.#redis = redis
    this.#now = now
  }

  /** The secret of the cursors: `fresh`, where none is kept yet. */
  async cursorSecret(fresh: Uint8Array): Promise<Buffer> {
    const text = Buffer.from(fresh).toString('base64')
    const kept = await this.#redis.command('SET', names.cursorSecret, text, 'NX', 'GET')
    return Buffer.from((kept ?? text) as string, 'base64')
  }

  async ensureAccount(account: string, plan: string): Promise<AccountRecord> {
    // in the index first: what is not in it would never be listed
    await this.#redis.run(scripts.addToIndex, [names.accountIndex], [account])
    const args = [this.#now(), plan]
    return toAccountRecord(
      account,
      await this.#redis.run(scripts.createAccount, [names.accountRecord(account)], args),
    )!
  }

  async createAccount(account: string, plan: string): Promise<AccountRecord | null> {
    await this.#redis.run(scripts.addToIndex, [names.accountIndex], [account])
    const args = [this.#now(), plan]
    const fields = await this.#redis.run(scripts.createNewAccount, [names.accountRecord(account)], args)
    return fields === null ? null : toAccountRecord(account, fields)
  }

  async countSignUp(address: string, perDay: number): Promise<boolean> {
    const args = [this.#now(), String(perDay)]
    return (await this.#redis.run(scripts.countSignUp, [names.signUps(address)], args)) === 1
  }

  async account(name: string): Promise<AccountRecord | null> {
    const fields = await this.#redis.command('HMGET', names.accountRecord(name), 'plan', 'createdAtMs')
    return toAccountRecord(name, fields)
  }

  async setPlan(account: string, plan: string): Promise<AccountRecord | null> {
    const fields = await this.#redis.run(scripts.changePlan, [names.accountRecord(account)], [plan])
    return toAccountRecord(account, fields)
  }

  /** So many accounts from a place in the order of creation on; null stands for one whose making failed half-way. */
  async accounts(from: number, count: number): Promise<(AccountRecord | null)[]> {
    return await this.#portion(names.accountIndex, from, count, (name) => this.account(name))
  }

  /** @throws {Error} there is no such account, or there is such a key */
  async addKey(account: string, key: NewKey): Promise<KeyRecord> {
    if (!(await this.account(account))) throw new Error(`cannot add a key: no account "${account}"`)
    await this.#pointTo(account, key)
    const keys = [names.accountRecord(account), names.keyRecord(account, key.keyId)]
    return await this.#createKey(account, key, keys, [])
  }

  async key(keyId: string): Promise<KeyRecord | null> {
    return await this.#ofKey(keyId, scripts.readKey, [])
  }

  async setKeyEnabled(keyId: string, enabled: boolean): Promise<KeyRecord | null> {
    return await this.#ofKey(keyId, scripts.enableKey, [enabled ? '1' : '0'])
  }

  /** @throws {Error} there is a key like the new one */
  async rotateKey(keyId: string, next: NewKey, overlapMs: number): Promise<KeyRecord | null> {
    const old = await this.key(keyId)
    if (!old) return null
    await this.#pointTo(old.account, next)
    const keys = [
      names.accountRecord(old.account),
      names.keyRecord(old.account, next.keyId),
      names.keyRecord(old.account, keyId),
    ]
    return await this.#createKey(old.account, next, keys, [String(overlapMs)])
  }

  /** So many keys, as accounts are given. */
  async keys(from: number, count: number): Promise<(KeyRecord | null)[]> {
    return await this.#portion(names.keyIndex, from, count, (keyId) => this.key(keyId))
  }

  /** Runs a script on a key, which gives its fields. */
  async #ofKey(keyId: string, script: scripts.Script, args: string[]): Promise<KeyRecord | null> {
    const account = (await this.#redis.command('GET', names.keyPointer(keyId))) as string | null
    if (account === null) return null
    const keys = [names.accountRecord(account), names.keyRecord(account, keyId)]
    return toKeyRecord(keyId, account, await this.#redis.run(script, keys, args))
  }

  /**
   * Writes what leads to a key before there is one: these stand in other slots, so it cannot be one step. A crash in between leaves
   * pointers to nothing, which is no key; nobody has seen its text.
   */
  async #pointTo(account: string, { keyId, digest }: NewKey): Promise<void> {
    const { keyPointer, digestPointer, keyIndex } = names
    const pointers: [string, string][] = [
      [keyPointer(keyId), account],
      [digestPointer(digest.toString('hex')), `${keyId} ${account}`],
    ]
    for (const [name, target] of pointers) {
      const held = await this.#redis.command('SET', name, target, 'NX', 'GET')
      if (held !== null && held !== target)
        throw new Error(`cannot add the key "${keyId}": there is one like it`)
    }
    await this.#redis.run(scripts.addToIndex, [keyIndex], [keyId])
  }

  /** From here on there is the key. */
  async #createKey(account: string, key: NewKey, keys: string[], expiry: string[]): Promise<KeyRecord> {
    const args = [this.#now(), key.prefix, key.last4, ...expiry]
    const fields = await this.#redis.run(scripts.createKey, keys, args)
    if (fields === null) throw new Error(`cannot add the key "${key.keyId}": there is one like it`)
    return toKeyRecord(key.keyId, account, fields)!
  }

  async #portion<T>(
    index: string,
    from: number,
    count: number,
    read: (name: string) => Promise<T | null>,
  ): Promise<(T | null)[]> {
    const members = await this.#redis.command('ZRANGE', index, String(from), String(from + count - 1))
    return await Promise.all((members as string[]).map(read))
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
