import { randomBytes } from 'node:crypto'
import type { Plan } from '#contract/plans.ts'
import {
  formatAccount,
  parseAccount,
  storedKey,
  textNames,
  type StoredAccount,
  type StoredKey,
} from './account-record.ts'
import { foldName } from './account-name.ts'
import { quotaState } from './decide.ts'
import { periodInForce } from './period.ts'
import { UnknownPlan, type PlanTable } from './plan-table.ts'
import type { Records, SwapOptions } from './records.ts'
import {
  maxChanges,
  NameTaken,
  type AccountHistory,
  type AccountRecord,
  type Change,
  type KeyRecord,
  type LoggedChange,
  type NewKey,
  type QuotaState,
} from './store.ts'
import { dayMs, dayOf } from './window.ts'

/** An account as it was read. */
interface Found {
  id: string
  /** The text of its record in the store. */
  text: string
  account: StoredAccount
}

/**
 * Accounts and keys. A change is seen by the next call in every process. Accounts are found by
 * `foldName` of their names, so that `BigCorp` and `bigcorp` are one.
 *
 * An account and its keys are one record, and every change is one swap of it. The texts that lead
 * to a record are written before it and deleted after it, so that a crash in between leaves some
 * that lead to nothing, and never an account or a key that cannot be found.
 *
 * Every method throws {@link StoreUnavailable} when the store cannot be reached.
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
   * @throws {Error} an account is on a plan that they lack, named with it: the old ones stay
   */
  async usePlans(plans: readonly Plan[]): Promise<void> {
    const known = new Set(plans.map(({ name }) => name))
    const lost = (await this.accounts()).find(({ plan }) => !known.has(plan))
    if (lost) throw new Error(new UnknownPlan(lost.account, lost.plan).message)
    this.#plans.use(plans)
  }

  /** The 32-byte secret that signs cursors. It is made at first use and shared by all processes. */
  async cursorSecret(): Promise<Buffer> {
    const fresh = randomBytes(32).toString('base64')
    const take = () => this.#take(textNames.cursorSecret, fresh)
    return Buffer.from(await this.#records.within('read the secret that signs cursors', take), 'base64')
  }

  /** Creates the account; null if the name is taken. Of two simultaneous calls, one succeeds. */
  async createAccount(account: string, plan: string, bySignUp = false): Promise<AccountRecord | null> {
    return await this.#records.within(`create the account "${account}"`, async () => {
      const createdAtMs = await this.#records.now()
      const record = { account, plan, createdAtMs, bySignUp, deletedAtMs: null, keys: [] }
      // Another process may be creating it now, or have ended half-way: then its id is used.
      const id = await this.#takeName(account, randomBytes(9).toString('base64url'))
      if (await this.#read(id)) return null
      await this.#records.append('accounts', id)
      const options = { note: this.#noteOf(id, createdAtMs, plan) }
      const isMade = await this.#records.swap(textNames.account(id), null, formatAccount(record), options)
      return isMade ? toAccountRecord(record) : null
    })
  }

  /**
   * Counts a sign-up of a network today (UTC). Returns false, counting nothing, after `perDay`. A
   * clock that steps back does not open a spent day again.
   */
  async countSignUp(network: string, perDay: number): Promise<boolean> {
    const name = textNames.signUps(network)
    return await this.#records.within('count the sign-up', async () => {
      for (;;) {
        const stored = await this.#records.get(name)
        const [storedDay, storedCount = 0] = stored?.split(' ').map(Number) ?? []
        const today = dayOf(await this.#records.now())
        const day = storedDay === today + 1 ? storedDay : today
        const count = storedDay === day ? storedCount : 0
        if (count >= perDay) return false
        const lifeMs = 2 * dayMs
        if (await this.#records.swap(name, stored, `${day} ${count + 1}`, { lifeMs })) return true
      }
    })
  }

  async account(name: string): Promise<AccountRecord | null> {
    return await this.#records.within('read the account', async () => {
      const found = await this.#find(name)
      return found && toAccountRecord(found.account)
    })
  }

  /** All accounts, in the order of creation. */
  async accounts(): Promise<AccountRecord[]> {
    const accounts: AccountRecord[] = []
    for await (const batch of this.#batches('read the accounts'))
      for (const { account } of batch)
        if (account.deletedAtMs === null) accounts.push(toAccountRecord(account))
    return accounts
  }

  /**
   * Every account that exists or was deleted and not purged, in the order of creation; with a name,
   * only those that have it or had it last.
   */
  async *histories(name?: string): AsyncGenerator<AccountHistory> {
    const action = 'read the periods'
    for await (const batch of this.#batches(action)) {
      const wanted = batch.filter(({ account }) => name === undefined || hasName(account, name))
      yield* await this.#records.within(
        action,
        async () =>
          await Promise.all(
            wanted.map(async ({ id, account }) => {
              const { periods } = await this.#records.counts(id)
              const noted = periods.flatMap(({ plan, ...period }) => (plan ? [{ ...period, plan }] : []))
              return { ...toAccountRecord(account), deletedAtMs: account.deletedAtMs, periods: noted }
            }),
          ),
      )
    }
  }

  /**
   * Moves an account to a plan, which is noted in its period in force if this process knows it.
   * Returns the changed account, null if there is none.
   */
  async setPlan(account: string, plan: string): Promise<AccountRecord | null> {
    return await this.#records.within('change the plan', async () => {
      const found = await this.#find(account)
      if (!found) return null
      const { startMs } = (await this.#periodInForce(found)).period
      const options = { note: this.#noteOf(found.id, startMs, plan) }
      const change = await this.#change(found.id, (before) => ({ ...before, plan }), options)
      return change && toAccountRecord(change.after)
    })
  }

  /** The account's period in force, null if there is no such account. */
  async quota(account: string): Promise<QuotaState | null> {
    return await this.#records.within('read the quota', async () => {
      const found = await this.#find(account)
      if (!found) return null
      const { period, requests } = await this.#periodInForce(found)
      return quotaState(found.account, this.#plans.of(found.account), period, requests)
    })
  }

  /**
   * Renames an account, which keeps its keys and counts. Returns it, null if there is none.
   *
   * @throws {NameTaken}
   */
  async renameAccount(account: string, name: string): Promise<AccountRecord | null> {
    return await this.#records.within('rename the account', async () => {
      const found = await this.#find(account)
      if (!found) return null
      const holder = await this.#takeName(name, found.id)
      if (holder !== found.id)
        throw new NameTaken(account, (await this.#read(holder))?.account.account ?? name)
      const change = await this.#change(found.id, (before) => ({ ...before, account: name }))
      if (foldName(name) !== foldName(account))
        await this.#records.swap(textNames.name(account), found.id, null)
      return change && toAccountRecord(change.after)
    })
  }

  /**
   * Deletes an account and its keys. What was counted is kept for billing. Returns what it was,
   * if there is none.
   *
   * From the first step on its keys are refused. The rest may take longer than a call.
   */
  async deleteAccount(account: string): Promise<AccountRecord | null> {
    const action = 'delete the account'
    const deleted = await this.#records.within(action, async () => {
      const found = await this.#find(account)
      if (!found) return null
      const deletedAtMs = await this.#records.now()
      const change = await this.#change(found.id, (before) => ({ ...before, deletedAtMs, keys: [] }))
      return change && { id: found.id, before: change.before }
    })
    if (!deleted) return null
    const { id, before } = deleted
    for (const { keyId, digest } of before.keys)
      await this.#records.within(action, async () => {
        for (const name of [textNames.key(keyId), textNames.digest(digest)])
          await this.#records.swap(name, id, null)
        await this.#records.drop('keys', keyId)
        await this.#records.dropCounts(id, keyId)
      })
    await this.#records.within(action, () => this.#records.swap(textNames.name(account), id, null))
    return toAccountRecord(before)
  }

  /** Forgets what was counted of the deleted accounts that had this name. */
  async purge(account: string): Promise<void> {
    const action = 'purge the account'
    for await (const batch of this.#batches(action))
      for (const found of batch)
        if (found.account.deletedAtMs !== null && hasName(found.account, account))
          await this.#records.within(action, async () => {
            await this.#records.dropCounts(found.id)
            await this.#records.drop('accounts', found.id)
            await this.#records.swap(textNames.account(found.id), found.text, null)
          })
  }

  /** @throws {Error} there is no such account, or the key exists already */
  async addKey(account: string, key: NewKey): Promise<KeyRecord> {
    return await this.#records.within('add the key', async () => {
      const found = await this.#find(account)
      if (!found) throw new Error(`cannot add a key: no account "${account}"`)
      await this.#announceKey(found.id, key)
      const added = storedKey(key, await this.#records.now())
      const change = await this.#change(found.id, (before) => withKey(before, added))
      if (!change) throw new Error(`cannot add a key: no account "${account}"`)
      return toKeyRecord(change.after, added, null)
    })
  }

  /** All keys, in the order of creation. */
  async keys(): Promise<KeyRecord[]> {
    const action = 'read the keys'
    const records = new Map<string, KeyRecord>()
    for await (const batch of this.#batches(action)) {
      const read = batch.flatMap(({ id, account }) => account.keys.map((key) => ({ id, account, key })))
      await this.#records.within(action, () =>
        Promise.all(
          read.map(async ({ id, account, key }) => {
            const { latestMs } = await this.#records.counts(id, key.keyId)
            records.set(key.keyId, toKeyRecord(account, key, latestMs))
          }),
        ),
      )
    }
    const ordered = new Set<KeyRecord>()
    for await (const keyIds of this.#records.lines('keys', action))
      for (const keyId of keyIds) if (records.has(keyId)) ordered.add(records.get(keyId)!)
    return [...ordered]
  }

  /** The units that were counted in a period, by the id of the key that spent them. */
  async unitsByKey(account: string, periodStartMs: number): Promise<Map<string, number>> {
    return await this.#records.within('read the keys', async () => {
      const found = await this.#find(account)
      const units = found?.account.keys.map(async ({ keyId }): Promise<[string, number]> => {
        const { periods } = await this.#records.counts(found.id, keyId)
        return [keyId, periods.find(({ startMs }) => startMs === periodStartMs)?.requests ?? 0]
      })
      return new Map(await Promise.all(units ?? []))
    })
  }

  /** Returns the changed key, null if there is none. */
  async setKeyEnabled(keyId: string, enabled: boolean): Promise<KeyRecord | null> {
    return await this.#records.within('change the key', async () => {
      const id = await this.#records.get(textNames.key(keyId))
      if (id === null) return null
      // Read before the change, which must not have taken effect if this fails.
      const { latestMs } = await this.#records.counts(id, keyId)
      const change = await this.#change(id, (before) => changedKey(before, keyId, () => ({ enabled })))
      if (!change) return null
      return toKeyRecord(change.after, keyIn(change.after, keyId)!, latestMs)
    })
  }

  /**
   * Adds `next` to the key's account, with the name of the key, and makes the key expire in
   * `overlapMs` by the store's own time, in one step. An earlier expiry stays. Returns the new key,
   * null if there is no `keyId`.
   */
  async rotateKey(keyId: string, next: NewKey, overlapMs: number): Promise<KeyRecord | null> {
    return await this.#records.within('rotate the key', async () => {
      const id = await this.#records.get(textNames.key(keyId))
      const old = id === null ? undefined : keyIn((await this.#read(id))?.account, keyId)
      if (id === null || !old) return null
      await this.#announceKey(id, next)
      const nowMs = await this.#records.now()
      const added = storedKey({ ...next, name: old.name ?? undefined }, nowMs)
      const change = await this.#change(id, (before) => {
        const expiring = changedKey(before, keyId, ({ expiresAtMs }) => ({
          expiresAtMs: Math.min(nowMs + overlapMs, expiresAtMs ?? Infinity),
        }))
        return expiring && withKey(expiring, added)
      })
      return change && toKeyRecord(change.after, added, null)
    })
  }

  /** Adds a line to the log of changes, which keeps the last 100,000. */
  async log(change: Change): Promise<void> {
    await this.#records.within('log the change', async () =>
      this.#records.append('changes', `${await this.#records.now()} ${JSON.stringify(change)}`, maxChanges),
    )
  }

  /** The log of changes, oldest first. */
  async *changes(): AsyncGenerator<LoggedChange> {
    for await (const lines of this.#records.lines('changes', 'read the log of changes'))
      for (const line of lines) {
        const blank = line.indexOf(' ')
        yield { atMs: Number(line.slice(0, blank)), ...(JSON.parse(line.slice(blank)) as Change) }
      }
  }

  /** The record with this id, even if it was deleted. */
  async #read(id: string): Promise<Found | null> {
    const text = await this.#records.get(textNames.account(id))
    return text === null ? null : { id, text, account: parseAccount(text) }
  }

  async #find(name: string): Promise<Found | null> {
    const id = await this.#records.get(textNames.name(name))
    const found = id === null ? null : await this.#read(id)
    return found && found.account.deletedAtMs === null && hasName(found.account, name) ? found : null
  }

  /** All records, in the order of creation, deleted accounts too. */
  async *#batches(action: string): AsyncGenerator<Found[]> {
    const seen = new Set<string>()
    for await (const ids of this.#records.lines('accounts', action)) {
      // An id is listed twice if it took two processes to create the account.
      const fresh = [...new Set(ids)].filter((id) => !seen.has(id))
      for (const id of fresh) seen.add(id)
      const read = () => Promise.all(fresh.map((id) => this.#read(id)))
      yield (await this.#records.within(action, read)).filter((found) => found !== null)
    }
  }

  /**
   * Changes an account by a rule, which is applied again if another process was faster. Null if the
   * account does not exist, or the rule returns null.
   */
  async #change(
    id: string,
    rule: (before: StoredAccount) => StoredAccount | null,
    options?: SwapOptions,
  ): Promise<{ before: StoredAccount; after: StoredAccount } | null> {
    for (;;) {
      const found = await this.#read(id)
      if (!found || found.account.deletedAtMs !== null) return null
      const after = rule(found.account)
      if (!after) return null
      if (await this.#records.swap(textNames.account(id), found.text, formatAccount(after), options))
        return { before: found.account, after }
    }
  }

  /** Writes a text unless there is one. Returns the one that is there then. */
  async #take(name: string, text: string): Promise<string> {
    for (;;) {
      const held = await this.#records.get(name)
      if (held !== null) return held
      if (await this.#records.swap(name, null, text)) return text
    }
  }

  /**
   * Lets a name lead to an account, unless it leads to one that exists or is being made. Returns
   * where it leads.
   */
  async #takeName(account: string, id: string): Promise<string> {
    const name = textNames.name(account)
    for (;;) {
      const holder = await this.#take(name, id)
      if (holder === id || ((await this.#read(holder))?.account.deletedAtMs ?? null) === null) return holder
      await this.#records.swap(name, holder, null)
    }
  }

  /** Writes what leads to a key. @throws {Error} the key exists already */
  async #announceKey(id: string, { keyId, digest }: NewKey): Promise<void> {
    for (const name of [textNames.key(keyId), textNames.digest(digest)])
      if (!(await this.#records.swap(name, null, id)))
        throw new Error(`cannot add the key "${keyId}": it exists already`)
    await this.#records.append('keys', keyId)
  }

  #noteOf(id: string, startMs: number, planName: string): SwapOptions['note'] {
    const plan = this.#plans.named(planName)
    return plan && { id, startMs, plan }
  }

  async #periodInForce({ id, account }: Found) {
    const { latestMs, periods } = await this.#records.counts(id)
    const period = periodInForce(account.createdAtMs, latestMs, await this.#records.now())
    const counted = periods.find(({ startMs }) => startMs === period.startMs)
    return { period, requests: counted?.requests ?? 0 }
  }
}

function hasName({ account }: StoredAccount, name: string): boolean {
  return foldName(account) === foldName(name)
}

function keyIn(account: StoredAccount | undefined, keyId: string): StoredKey | undefined {
  return account?.keys.find((key) => key.keyId === keyId)
}

function withKey(account: StoredAccount, key: StoredKey): StoredAccount {
  return { ...account, keys: [...account.keys, key] }
}

/** The account with one of its keys changed; null if it has no such key. */
function changedKey(
  account: StoredAccount,
  keyId: string,
  change: (key: StoredKey) => Partial<StoredKey>,
): StoredAccount | null {
  if (!keyIn(account, keyId)) return null
  const keys = account.keys.map((key) => (key.keyId === keyId ? { ...key, ...change(key) } : key))
  return { ...account, keys }
}

function toAccountRecord({ account, plan, createdAtMs, bySignUp }: StoredAccount): AccountRecord {
  return { account, plan, createdAtMs, bySignUp }
}

function toKeyRecord({ account, plan }: StoredAccount, key: StoredKey, lastUsedMs: number | null): KeyRecord {
  const { digest: _digest, ...shown } = key
  return { ...shown, account, plan, lastUsedMs }
}
