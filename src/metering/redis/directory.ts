import { randomBytes } from 'node:crypto'
import type { PlanTable } from '../plan-table.ts'
import {
  maxChanges,
  NameTaken,
  type AccountHistory,
  type AccountRecord,
  type Change,
  type Directory,
  type KeyContent,
  type KeyRecord,
  type LoggedChange,
  type NewKey,
  type PeriodCount,
  type QuotaState,
} from '../store.ts'
import type { Plan } from '#contract/plans.ts'
import type { AccountPeriods } from './account-periods.ts'
import type { RedisConnection } from './connection.ts'
import { changePlan } from './counter-scripts.ts'
import type { RedisCounters } from './counters.ts'
import * as names from './keys.ts'
import * as scripts from './directory-scripts.ts'
import type { Script } from './script.ts'

/**
 * How many accounts or keys are read at once. A long list may take long, but each batch must be in
 * time.
 */
const batchSize = 500

const dayMs = 86_400_000

/**
 * Accounts and keys in Redis. What is in the slot of an account changes in one step. What leads to
 * it is in other slots: it is written before, and deleted after, so that a crash in between leaves
 * pointers to nothing, and never an account or a key that cannot be found.
 */
export class RedisDirectory implements Directory {
  readonly #redis: RedisConnection
  readonly #counters: RedisCounters
  readonly #periods: AccountPeriods
  readonly #plans: PlanTable
  readonly #now: () => string

  /**
   * `counters` read the period of an account. `now` returns the time in milliseconds, or empty: the
   * server's own.
   */
  constructor(
    redis: RedisConnection,
    { counters, periods, plans }: { counters: RedisCounters; periods: AccountPeriods; plans: PlanTable },
    now: () => string,
  ) {
    this.#redis = redis
    this.#counters = counters
    this.#periods = periods
    this.#plans = plans
    this.#now = now
  }

  async cursorSecret(): Promise<Buffer> {
    const fresh = randomBytes(32).toString('base64')
    const kept = await this.#write('read the secret that signs cursors', () =>
      this.#redis.command('SET', names.cursorSecret, fresh, 'NX', 'GET'),
    )
    return Buffer.from((kept ?? fresh) as string, 'base64')
  }

  async createAccount(account: string, plan: string, bySignUp = false): Promise<AccountRecord | null> {
    const noted = toText(this.#plans.named(plan))
    return await this.#write(`create the account "${account}"`, async () => {
      const id = await this.#takeName(account, randomBytes(9).toString('base64url'))
      await this.#redis.run(scripts.addToIndex, [names.accountIndex], [id])
      const args = [this.#now(), account, plan, bySignUp ? '1' : '', noted]
      return await this.#runOnAccount(id, scripts.createAccount, args)
    })
  }

  async countSignUp(network: string, perDay: number): Promise<boolean> {
    const args = [this.#now(), String(perDay)]
    return await this.#write(
      'count the sign-up',
      async () => (await this.#redis.run(scripts.countSignUp, [names.signUps(network)], args)) === 1,
    )
  }

  async account(name: string): Promise<AccountRecord | null> {
    return await this.#redis.within('read the account', async () =>
      this.#runOnAccount(await this.#idOf(name), scripts.readAccount, []),
    )
  }

  async accounts(): Promise<AccountRecord[]> {
    const read = (id: string) => this.#runOnAccount(id, scripts.readAccount, [])
    return (await Array.fromAsync(this.#list('read the accounts', names.accountIndex, read))).flat()
  }

  async *histories(name?: string): AsyncGenerator<AccountHistory> {
    const read = (id: string) => this.#readHistory(id)
    if (name === undefined) {
      for await (const batch of this.#list('read the periods', names.accountIndex, read)) yield* batch
      return
    }
    const found = await this.#redis.within('read the periods', async () => {
      const live = await this.#idOf(name)
      const deleted = (await this.#redis.command('SMEMBERS', names.deletedAccounts(name))) as string[]
      return await Promise.all([...new Set(live === null ? deleted : [...deleted, live])].map(read))
    })
    yield* found.filter((history) => history !== null).sort((a, b) => a.createdAtMs - b.createdAtMs)
  }

  async setPlan(account: string, plan: string): Promise<AccountRecord | null> {
    const args = [plan, toText(this.#plans.named(plan))]
    return await this.#write('change the plan', async () => {
      const id = await this.#idOf(account)
      if (id === null) return null
      await this.#periods.run(changePlan, id, [names.accountRecord(id), names.periods(id)], args)
      return await this.#runOnAccount(id, scripts.readAccount, [])
    })
  }

  async quota(account: string): Promise<QuotaState | null> {
    return await this.#redis.within('read the quota', async () => {
      const id = await this.#idOf(account)
      return id === null ? null : await this.#counters.quota(id)
    })
  }

  async renameAccount(account: string, name: string): Promise<AccountRecord | null> {
    return await this.#write('rename the account', async () => {
      const id = await this.#idOf(account)
      if (id === null) return null
      const holder = await this.#takeName(name, id)
      if (holder !== id) throw new NameTaken(account, name)
      const renamed = await this.#runOnAccount(id, scripts.renameAccount, [name])
      if (names.namePointer(name) !== names.namePointer(account)) await this.#dropName(account, id)
      return renamed
    })
  }

  /** From the first step on its keys are refused. The rest may take longer than a call. */
  async deleteAccount(account: string): Promise<AccountRecord | null> {
    const id = await this.#redis.within('read the account', () => this.#idOf(account))
    if (id === null) return null
    const deleted = await this.#write('delete the account', () =>
      this.#runOnAccount(id, scripts.deleteAccount, [this.#now()]),
    )
    const keys = await this.#readKeys(id)
    const inSlot = Object.keys(keys).flatMap((keyId) => [
      names.keyRecord(id, keyId),
      names.keyWindow(id, keyId),
    ])
    for (const [keyId, digest] of Object.entries(keys)) {
      await this.#redis.command('DEL', names.keyPointer(keyId))
      await this.#redis.command('DEL', names.digestPointer(digest))
      await this.#redis.command('ZREM', names.keyIndex, keyId)
    }
    await this.#redis.command('DEL', names.accountKeys(id), ...inSlot)
    await this.#redis.command('SADD', names.deletedAccounts(account), id)
    await this.#dropName(account, id)
    return deleted
  }

  async purge(account: string): Promise<void> {
    const deleted = names.deletedAccounts(account)
    await this.#write('purge the account', async () => {
      for (const id of (await this.#redis.command('SMEMBERS', deleted)) as string[]) {
        await this.#redis.command('DEL', names.accountRecord(id), names.periods(id))
        await this.#redis.command('ZREM', names.accountIndex, id)
      }
      await this.#redis.command('DEL', deleted)
    })
  }

  async addKey(account: string, key: NewKey): Promise<KeyRecord> {
    return await this.#write('add the key', async () => {
      const id = await this.#idOf(account)
      if (id === null || !(await this.#runOnAccount(id, scripts.readAccount, [])))
        throw new Error(`cannot add a key: no account "${account}"`)
      return await this.#createKey(id, key, [], [])
    })
  }

  async keys(): Promise<KeyRecord[]> {
    const read = (keyId: string) => this.#runOnKey(keyId, scripts.readKey, [])
    return (await Array.fromAsync(this.#list('read the keys', names.keyIndex, read))).flat()
  }

  async unitsByKey(account: string, periodStartMs: number): Promise<Map<string, number>> {
    return await this.#redis.within('read the keys', async () => {
      const id = await this.#idOf(account)
      const keyIds = id === null ? [] : Object.keys(await this.#readKeys(id))
      const field = `units:${periodStartMs}`
      const counts = await Promise.all(
        keyIds.map((keyId) => this.#redis.command('HMGET', names.keyRecord(id!, keyId), field)),
      )
      const units = keyIds.map((keyId, i) => [keyId, Number((counts[i] as (string | null)[])[0])] as const)
      return new Map(units.filter(([, count]) => count > 0))
    })
  }

  async setKeyEnabled(keyId: string, enabled: boolean): Promise<KeyRecord | null> {
    return await this.#write('change the key', () =>
      this.#runOnKey(keyId, scripts.enableKey, [enabled ? '1' : '0']),
    )
  }

  async log(change: Change): Promise<void> {
    const args = [this.#now(), JSON.stringify(change), String(maxChanges)]
    await this.#write('log the change', () => this.#redis.run(scripts.logChange, [names.changes], args))
  }

  async *changes(): AsyncGenerator<LoggedChange> {
    for (let from = 0; ; from += batchSize) {
      const lines = await this.#redis.within('read the log of changes', () =>
        this.#redis.command('LRANGE', names.changes, String(from), String(from + batchSize - 1)),
      )
      for (const line of lines as string[]) {
        const [atMs] = line.split(' ', 1) as [string]
        yield { atMs: Number(atMs), ...(JSON.parse(line.slice(atMs.length)) as Change) }
      }
      if ((lines as string[]).length < batchSize) return
    }
  }

  async rotateKey(keyId: string, next: NewKey, overlapMs: number): Promise<KeyRecord | null> {
    return await this.#write('rotate the key', async () => {
      const id = await this.#accountOf(keyId)
      const old = await this.#runOnKey(keyId, scripts.readKey, [])
      if (id === null || !old) return null
      const named = { ...next, name: old.name ?? undefined }
      return await this.#createKey(id, named, [names.keyRecord(id, keyId)], [String(overlapMs)])
    })
  }

  /** What a copy needs of each key beside its record. */
  async keyContents(): Promise<Map<string, KeyContent>> {
    const contents = new Map<string, KeyContent>()
    const read = async (id: string) => {
      for (const [keyId, digest] of Object.entries(await this.#readKeys(id))) {
        const fields = await this.#redis.command('HGETALL', names.keyRecord(id, keyId))
        contents.set(keyId, { digest, units: toUnits(fields as Record<string, string>) })
      }
    }
    for await (const _ of this.#list('read the keys', names.accountIndex, read));
    return contents
  }

  /** Runs a write, if Redis still holds the store: an empty Redis must not become a new store. */
  async #write<T>(action: string, work: () => Promise<T>): Promise<T> {
    return await this.#redis.within(action, async () => {
      await this.#redis.checkStore()
      return await work()
    })
  }

  /** The id of the account that has a name, or had it and is being deleted. */
  async #idOf(name: string): Promise<string | null> {
    return (await this.#redis.command('GET', names.namePointer(name))) as string | null
  }

  async #accountOf(keyId: string): Promise<string | null> {
    return (await this.#redis.command('GET', names.keyPointer(keyId))) as string | null
  }

  /**
   * Lets a name lead to an account, unless it leads to one that exists or is being made. Returns
   * where it leads.
   */
  async #takeName(name: string, id: string): Promise<string> {
    for (;;) {
      const held = await this.#redis.command('SET', names.namePointer(name), id, 'NX', 'GET')
      if (held === null) return id
      const holder = held as string
      const deletedAt = await this.#redis.command('HMGET', names.accountRecord(holder), 'deletedAtMs')
      if ((deletedAt as (string | null)[])[0] === null) return holder
      await this.#dropName(name, holder)
    }
  }

  async #dropName(name: string, id: string): Promise<void> {
    await this.#redis.run(scripts.deletePointer, [names.namePointer(name)], [id])
  }

  /** Runs a script that returns the fields of an account. */
  async #runOnAccount(id: string | null, script: Script, args: string[]): Promise<AccountRecord | null> {
    if (id === null) return null
    const fields = await this.#redis.run(script, [names.accountRecord(id), names.periods(id)], args)
    if (fields === null) return null
    const [account, plan, createdAtMs, bySignUp] = fields as [string, string, string, string]
    return { account, plan, createdAtMs: Number(createdAtMs), bySignUp: bySignUp === '1' }
  }

  async #readHistory(id: string): Promise<AccountHistory | null> {
    const [fields, counts] = (await Promise.all([
      this.#redis.command('HGETALL', names.accountRecord(id)),
      this.#redis.command('HGETALL', names.periods(id)),
    ])) as Record<string, string>[]
    const { name, plan, createdAtMs, bySignUp, deletedAtMs = null } = fields!
    if (name === undefined) return null
    return {
      account: name,
      plan: plan!,
      createdAtMs: Number(createdAtMs),
      bySignUp: bySignUp === '1',
      deletedAtMs: deletedAtMs === null ? null : Number(deletedAtMs),
      periods: toPeriods(counts!),
    }
  }

  /** The digest of each key of an account, by the key's id. */
  async #readKeys(id: string): Promise<Record<string, string>> {
    return (await this.#redis.command('HGETALL', names.accountKeys(id))) as Record<string, string>
  }

  async #runOnKey(keyId: string, script: Script, args: string[]): Promise<KeyRecord | null> {
    const id = await this.#accountOf(keyId)
    if (id === null) return null
    const keys = [names.accountRecord(id), names.keyRecord(id, keyId)]
    return toKeyRecord(keyId, await this.#redis.run(script, keys, args))
  }

  async #createKey(id: string, key: NewKey, rotated: string[], overlap: string[]): Promise<KeyRecord> {
    const { keyId, digest, prefix, last4, name = '', note = '' } = key
    const pointers: [string, string][] = [
      [names.keyPointer(keyId), id],
      [names.digestPointer(digest), `${keyId} ${id}`],
    ]
    const exists = () => new Error(`cannot add the key "${keyId}": it exists already`)
    for (const [pointer, target] of pointers) {
      const held = await this.#redis.command('SET', pointer, target, 'NX', 'GET')
      if (held !== null && held !== target) throw exists()
    }
    await this.#redis.run(scripts.addToIndex, [names.keyIndex], [keyId])
    const keys = [names.accountRecord(id), names.keyRecord(id, keyId), names.accountKeys(id), ...rotated]
    const args = [this.#now(), keyId, digest, prefix, last4, name, note, ...overlap]
    const made = toKeyRecord(keyId, await this.#redis.run(scripts.createKey, keys, args))
    if (!made) throw exists()
    return made
  }

  /** Reads the records of an index, in batches. Leaves out names whose record was never written. */
  async *#list<T>(
    action: string,
    index: string,
    read: (name: string) => Promise<T | null>,
  ): AsyncGenerator<T[]> {
    for (let from = 0; ; from += batchSize) {
      const batch = await this.#redis.within(action, async () => {
        const last = String(from + batchSize - 1)
        const members = await this.#redis.command('ZRANGE', index, String(from), last)
        return await Promise.all((members as string[]).map(read))
      })
      yield batch.filter((record) => record !== null)
      if (batch.length < batchSize) return
    }
  }
}

/** What is noted of a plan in a period; a name has no blanks. Empty for an unknown plan. */
export function toText(plan: Plan | undefined): string {
  return plan ? `${plan.name} ${plan.perPeriod ?? ''} ${plan.perMinute}` : ''
}

function toPlan(text: string): Plan {
  const [name, perPeriod, perMinute] = text.split(' ') as [string, string, string]
  return { name, perPeriod: perPeriod === '' ? null : Number(perPeriod), perMinute: Number(perMinute) }
}

/** Every period has a plan, but not every one a count. */
function toPeriods(fields: Record<string, string>): PeriodCount[] {
  return Object.entries(fields)
    .filter(([field]) => field.endsWith(':plan'))
    .map(([field, text]) => {
      const start = field.slice(0, -':plan'.length)
      return { startMs: Number(start), requests: Number(fields[start] ?? 0), plan: toPlan(text) }
    })
    .sort((a, b) => a.startMs - b.startMs)
}

function toUnits(fields: Record<string, string>): KeyContent['units'] {
  return Object.entries(fields)
    .filter(([field, count]) => field.startsWith('units:') && count !== '0')
    .map(([field, count]): [number, number] => [Number(field.slice('units:'.length)), Number(count)])
    .sort((a, b) => a[0] - b[0])
}

function toKeyRecord(keyId: string, fields: unknown): KeyRecord | null {
  if (fields === null) return null
  const [account, plan, prefix, last4, enabled, createdAtMs, ...rest] = fields as string[]
  const [expiresAtMs = null, name = null, note = null, lastDay = null] = rest
  return {
    keyId,
    account: account!,
    plan: plan!,
    prefix: prefix!,
    last4: last4!,
    enabled: enabled === '1',
    createdAtMs: Number(createdAtMs),
    expiresAtMs: expiresAtMs === null ? null : Number(expiresAtMs),
    name,
    note,
    lastUsedMs: lastDay === null ? null : Number(lastDay) * dayMs,
  }
}
