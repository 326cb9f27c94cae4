import { randomBytes } from 'node:crypto'
import type { Plan } from '#contract/plans.ts'
import {
  formatAccount,
  parseAccount,
  textNames,
  type AccountRecord,
  type KeyRecord,
  type NewKey,
  type StoredKey,
} from './account-record.ts'
import { foldName } from './account-name.ts'
import { periodInForce } from './period.ts'
import { planOf, UnknownPlan, type PlanTable } from './plan-table.ts'
import type { Counts, Records, SwapOptions } from './records.ts'
import type { QuotaState } from './store.ts'
import { dayMs, dayOf } from './window.ts'

/** An account, existing or deleted, with its first period and those that have a count or a plan. */
export type AccountHistory = AccountRecord & Pick<Counts, 'periods'>

/** A change that a command or the admin API made. */
export interface LoggedChange {
  /** The author: a user and machine, or the admin API. */
  actor: string
  /** The name of the command, such as `keys create`. */
  action: string
  /** The changed account, key or plan. It never contains the text of a key. */
  details: Record<string, string | number | null>
}

/** The maximum number of changes in the log. */
const maxChanges = 100_000

/** The store does not contain what a command or a request names. */
export class NotThere extends Error {}

/** An account cannot be renamed, because another has the name. */
export class NameTaken extends Error {
  constructor(account: string, holder: string) {
    super(`cannot rename "${account}": there is already an account "${holder}"`)
  }
}

/**
 * Accounts and keys. The next call in every process sees a change. Accounts are found by `foldName`
 * of their names, so that `BigCorp` and `bigcorp` are one.
 *
 * An account and its keys are one record, and every change is one swap of it. The texts that lead
 * to a record are written before it and deleted after it. So a crash in between can leave texts
 * that lead to nothing, but never an account or a key that cannot be found.
 *
 * Every method throws {@link StoreUnavailable} when the store cannot be reached, and
 * {@link NotThere} if there is no account or key of the name or id that it takes.
 */
export class Directory {
  readonly #records: Records
  readonly #plans: PlanTable

  constructor(records: Records, plans: PlanTable) {
    this.#records = records
    this.#plans = plans
  }

  /**
   * Puts other plans in force.
   *
   * @throws {Error} an account is on a plan that they lack. The old plans then stay in force
   */
  async usePlans(plans: readonly Plan[]): Promise<void> {
    const known = new Set(plans.map(({ name }) => name))
    const orphan = (await this.accounts()).find(({ plan }) => !known.has(plan))
    if (orphan) {
      // An UnknownPlan itself would say that the store is unavailable.
      const { message, hasAdvice } = new UnknownPlan(orphan.account, orphan.plan)
      throw Object.assign(new Error(message), { hasAdvice })
    }
    this.#plans.clear()
    for (const plan of plans) this.#plans.set(plan.name, plan)
  }

  /**
   * The 32-byte secret that signs cursors. It is created at first use and shared by all processes.
   */
  async cursorSecret(): Promise<Buffer> {
    const fresh = randomBytes(32).toString('base64')
    return Buffer.from(await this.#take(textNames.cursorSecret, fresh), 'base64')
  }

  /** Creates the account; null if the name is taken. Of two simultaneous calls, one succeeds. */
  async createAccount(account: string, plan: string, bySignUp = false): Promise<AccountRecord | null> {
    const createdAtMs = await this.#records.now()
    // Another process may be creating it now, or have stopped half-way: then its id is used.
    const id = await this.#takeName(account, randomBytes(9).toString('base64url'))
    if (await this.#read(id)) return null
    await this.#records.append('accounts', id)
    const record = { id, account, plan, createdAtMs, bySignUp, deletedAtMs: null, keys: [] }
    const note = this.#noteOf(id, createdAtMs, plan)
    const isMade = await this.#records.swap(textNames.account(id), null, formatAccount(record), { note })
    return isMade ? record : null
  }

  /**
   * Counts a sign-up of a network today (UTC). Returns false, counting nothing, after `perDay`. A
   * clock that steps back does not reopen a day that is used up.
   */
  async countSignUp(network: string, perDay: number): Promise<boolean> {
    const name = textNames.signUps(network)
    for (;;) {
      const storedRecord = await this.#records.get(name)
      const [storedDay, storedCount = 0] = storedRecord?.split(' ').map(Number) ?? []
      const today = dayOf(await this.#records.now())
      const day = storedDay === today + 1 ? storedDay : today
      const count = storedDay === day ? storedCount : 0
      if (count >= perDay) return false
      const lifeMs = 2 * dayMs
      if (await this.#records.swap(name, storedRecord, `${day} ${count + 1}`, { lifeMs })) return true
    }
  }

  async account(name: string): Promise<AccountRecord> {
    const id = await this.#records.get(textNames.name(name))
    const account = id === null ? null : (await this.#read(id))?.account
    if (!account || account.deletedAtMs !== null || !hasName(account, name))
      throw new NotThere(`there is no account "${name}"`)
    return account
  }

  /** Returns all accounts, in the order of creation. */
  async accounts(): Promise<AccountRecord[]> {
    const all = await Array.fromAsync(this.everyAccount())
    return all.filter(({ deletedAtMs }) => deletedAtMs === null)
  }

  /** Yields every account that exists, or was deleted and not purged, in the order of creation. */
  async *everyAccount(): AsyncGenerator<AccountRecord> {
    const visitedIds = new Set<string>()
    for await (const ids of this.#records.lines('accounts')) {
      // An id is listed twice if two processes took part in creating the account.
      const fresh = [...new Set(ids)].filter((id) => !visitedIds.has(id))
      for (const id of fresh) visitedIds.add(id)
      for (const record of await Promise.all(fresh.map((id) => this.#read(id))))
        if (record) yield record.account
    }
  }

  /** Yields all accounts, including deleted ones; with a name, only those of that name. */
  async *histories(name?: string): AsyncGenerator<AccountHistory> {
    for await (const account of this.everyAccount())
      if (name === undefined || hasName(account, name))
        yield { ...account, periods: (await this.#records.counts(account.id)).periods }
  }

  /** Moves an account to a plan. Its current period stores the plan if this process knows it. */
  async setPlan(name: string, plan: string): Promise<AccountRecord> {
    const account = await this.account(name)
    const { startMs } = (await this.#periodInForce(account)).period
    const note = this.#noteOf(account.id, startMs, plan)
    return await this.#change(account, () => ({ plan }), { note })
  }

  /** Returns the account's current period. */
  async quota(name: string): Promise<QuotaState> {
    const account = await this.account(name)
    const plan = planOf(this.#plans, account)
    const current = await this.#periodInForce(account)
    return { account: account.account, accountId: account.id, plan, ...current }
  }

  /**
   * Renames an account, which keeps its keys and counts. Returns the account. @throws {NameTaken}
   */
  async renameAccount(account: string, name: string): Promise<AccountRecord> {
    const before = await this.account(account)
    const holder = await this.#takeName(name, before.id)
    if (holder !== before.id)
      throw new NameTaken(account, (await this.#read(holder))?.account.account ?? name)
    const after = await this.#change(before, () => ({ account: name }))
    if (foldName(name) !== foldName(account))
      await this.#records.swap(textNames.name(account), before.id, null)
    return after
  }

  /**
   * Deletes an account and its keys, which are refused at once. Their counts are kept for billing.
   */
  async deleteAccount(name: string): Promise<AccountRecord> {
    const account = await this.account(name)
    const deletedAtMs = await this.#records.now()
    await this.#change(account, ({ keys }) => ({
      deletedAtMs,
      keys: keys.map((key) => ({ ...key, enabled: false })),
    }))
    for (const { keyId, digest } of account.keys)
      for (const lead of [textNames.key(keyId), textNames.digest(digest)])
        await this.#records.swap(lead, account.id, null)
    await this.#records.swap(textNames.name(name), account.id, null)
    return account
  }

  /**
   * Deletes the account with a name and the deleted ones that had it, with their counts. Returns
   * these accounts in the order of creation.
   */
  async purge(name: string): Promise<AccountRecord[]> {
    const accounts = await Array.fromAsync(this.everyAccount())
    const matchingAccounts = accounts.filter((account) => hasName(account, name))
    if (matchingAccounts.length === 0) throw new NotThere(`there is no account "${name}"`)
    for (const account of matchingAccounts) {
      if (account.deletedAtMs === null) await this.deleteAccount(name)
      for (const { keyId } of account.keys) await this.#records.dropCounts(account.id, keyId)
      await this.#records.dropCounts(account.id)
      await this.#records.drop('accounts', account.id)
      const text = textNames.account(account.id)
      await this.#records.swap(text, await this.#records.get(text), null)
    }
    return matchingAccounts
  }

  /** @throws {Error} the key already exists */
  async addKey(name: string, key: NewKey): Promise<KeyRecord> {
    const account = await this.account(name)
    await this.#announceKey(account.id, key)
    const newKey = storedKey(key, await this.#records.now())
    const after = await this.#change(account, ({ keys }) => ({ keys: [...keys, newKey] }))
    return keyRecord(after, newKey)
  }

  /** Returns all keys, in the order of creation. */
  async keys(): Promise<KeyRecord[]> {
    const accounts = await this.accounts()
    const keys = accounts.flatMap((account) => account.keys.map((key) => keyRecord(account, key)))
    return keys.sort((a, b) => a.createdAtMs - b.createdAtMs)
  }

  /** Returns the changed key. */
  async setKeyEnabled(keyId: string, isEnabled: boolean): Promise<KeyRecord> {
    const { account } = await this.#findKey(keyId)
    const after = await this.#change(account, (before) => ({
      keys: changedKeys(before, keyId, () => ({ enabled: isEnabled })),
    }))
    return keyRecord(after, keyIn(after, keyId))
  }

  /**
   * Adds `next` to the key's account, with the name of the key, and makes the key expire in
   * `overlapMs` by the store's own time, in one step. An earlier expiry stays. Returns the new key.
   */
  async rotateKey(keyId: string, next: NewKey, overlapMs: number): Promise<KeyRecord> {
    const { account, key } = await this.#findKey(keyId)
    await this.#announceKey(account.id, next)
    const nowMs = await this.#records.now()
    const newKey = { ...storedKey(next, nowMs), name: key.name }
    const expiry = ({ expiresAtMs }: StoredKey) => ({
      expiresAtMs: Math.min(nowMs + overlapMs, expiresAtMs ?? Infinity),
    })
    const after = await this.#change(account, (before) => ({
      keys: [...changedKeys(before, keyId, expiry), newKey],
    }))
    return keyRecord(after, newKey)
  }

  /** Adds a line to the log of changes, which keeps the last 100,000. */
  async log(change: LoggedChange): Promise<void> {
    const line = JSON.stringify({ atMs: await this.#records.now(), ...change })
    await this.#records.append('changes', line, maxChanges)
  }

  /** Yields the log of changes, oldest first. */
  async *changes(): AsyncGenerator<LoggedChange & { atMs: number }> {
    for await (const lines of this.#records.lines('changes'))
      for (const line of lines) yield JSON.parse(line) as LoggedChange & { atMs: number }
  }

  /** Returns the record with this id, even if it was deleted, and its text in the store. */
  async #read(id: string): Promise<{ text: string; account: AccountRecord } | null> {
    const text = await this.#records.get(textNames.account(id))
    return text === null ? null : { text, account: parseAccount(text) }
  }

  async #findKey(keyId: string): Promise<{ account: AccountRecord; key: StoredKey }> {
    const id = await this.#records.get(textNames.key(keyId))
    const record = id === null ? null : await this.#read(id)
    if (!record) throw new NotThere(`there is no key "${keyId}"`)
    return { account: record.account, key: keyIn(record.account, keyId) }
  }

  /**
   * Changes an account by a rule, which is applied again if another process was faster. Returns the
   * changed account.
   */
  async #change(
    { id, account }: AccountRecord,
    rule: (before: AccountRecord) => Partial<AccountRecord>,
    options?: SwapOptions,
  ): Promise<AccountRecord> {
    for (;;) {
      const record = await this.#read(id)
      if (!record || record.account.deletedAtMs !== null)
        throw new NotThere(`there is no account "${account}"`)
      const after = { ...record.account, ...rule(record.account) }
      if (await this.#records.swap(textNames.account(id), record.text, formatAccount(after), options))
        return after
    }
  }

  /** Writes a text unless there is one. Returns the text that is then stored. */
  async #take(name: string, text: string): Promise<string> {
    for (;;) {
      const storedText = await this.#records.get(name)
      if (storedText !== null) return storedText
      if (await this.#records.swap(name, null, text)) return text
    }
  }

  /**
   * Makes a name lead to an account, unless it leads to one that exists or is being created.
   * Returns the id of the account that it leads to.
   */
  async #takeName(account: string, id: string): Promise<string> {
    const name = textNames.name(account)
    for (;;) {
      const holder = await this.#take(name, id)
      if (holder === id || ((await this.#read(holder))?.account.deletedAtMs ?? null) === null) return holder
      await this.#records.swap(name, holder, null)
    }
  }

  /** Writes the texts that lead to a key. @throws {Error} the key already exists */
  async #announceKey(id: string, { keyId, digest }: NewKey): Promise<void> {
    for (const name of [textNames.key(keyId), textNames.digest(digest)])
      if (!(await this.#records.swap(name, null, id)))
        throw new Error(`cannot add the key "${keyId}": it already exists`)
  }

  #noteOf(id: string, startMs: number, planName: string): SwapOptions['note'] {
    const plan = this.#plans.get(planName)
    return plan && { id, startMs, plan }
  }

  async #periodInForce({ id, createdAtMs }: AccountRecord) {
    const { latestMs, periods } = await this.#records.counts(id)
    const period = periodInForce(createdAtMs, latestMs, await this.#records.now())
    const currentPeriod = periods.find(({ startMs }) => startMs === period.startMs)
    return { period, requests: currentPeriod?.requests ?? 0 }
  }
}

function hasName({ account }: AccountRecord, name: string): boolean {
  return foldName(account) === foldName(name)
}

function storedKey(key: NewKey, createdAtMs: number): StoredKey {
  return { name: null, note: null, ...key, enabled: true, createdAtMs, expiresAtMs: null }
}

/** @throws {NotThere} */
function keyIn({ keys }: AccountRecord, keyId: string): StoredKey {
  const key = keys.find((each) => each.keyId === keyId)
  if (!key) throw new NotThere(`there is no key "${keyId}"`)
  return key
}

/** Returns the keys of an account with one of them changed. @throws {NotThere} */
function changedKeys(
  account: AccountRecord,
  keyId: string,
  change: (key: StoredKey) => Partial<StoredKey>,
): StoredKey[] {
  const key = keyIn(account, keyId)
  return account.keys.map((each) => (each === key ? { ...key, ...change(key) } : each))
}

function keyRecord({ id, account, plan }: AccountRecord, key: StoredKey): KeyRecord {
  return { ...key, accountId: id, account, plan }
}
