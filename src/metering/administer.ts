import { existsSync } from 'node:fs'
import { toDate } from '#contract/dates.ts'
import type { Plan } from '#contract/plans.ts'
import type { Clock } from '#kit/clock.ts'
import { accountName } from './account-name.ts'
import { mintKey, toNewKey, type RandomBytes } from './key.ts'
import type { AccountRecord, KeyRecord, MeterStore } from './store.ts'

/** What the use cases of accounts and keys work with. */
export interface AdminContext {
  store: MeterStore
  plans: readonly Plan[]
  clock: Clock
  random: RandomBytes
}

/** A key just made, with its text: shown this once. */
export interface CreatedKey {
  account: string
  plan: string
  keyId: string
  key: string
}

/** A key as the commands show it, with dates as the contract writes them. */
export type ShownKey = ReturnType<typeof showKey>

/** An account as the commands show it. */
export type ShownAccount = ReturnType<typeof showAccount>

/**
 * Creates a key, and its account if that is new: on the plan given, else on `trial`. An account
 * that exists keeps its plan.
 *
 * @throws {Error} no name for an account, no such plan, or the account is on another plan than the
 * one given
 */
export async function createKey(
  { store, plans, random }: AdminContext,
  wanted: { account: string; plan?: string | undefined },
): Promise<CreatedKey> {
  const name = checkNewKey(plans, wanted)
  const made = await store.directory.createAccount(name, wanted.plan ?? 'trial')
  const { account, plan } = made ?? found(await store.directory.account(name), 'account', name)
  if (wanted.plan !== undefined && wanted.plan !== plan) {
    throw new Error(
      `cannot create a key on the plan "${wanted.plan}": the account "${account}" is on the plan "${plan}"`,
    )
  }
  const key = mintKey(random)
  const { keyId } = await store.directory.addKey(account, toNewKey(key, random))
  return { account, plan, keyId, key }
}

/**
 * Checks what can be checked of a new key without a store. Returns the name of its account.
 *
 * @throws {Error} no name for an account, or no such plan
 */
export function checkNewKey(
  plans: readonly Plan[],
  wanted: { account: string; plan?: string | undefined },
): string {
  const name = accountName(wanted.account)
  if (wanted.plan !== undefined) checkPlan(plans, wanted.plan)
  return name
}

/** Every key, in the order of creation. */
export async function listKeys({ store }: AdminContext): Promise<ShownKey[]> {
  return (await store.directory.keys()).map(showKey)
}

/**
 * Disables a key, or enables it again, from the next request on, in every process.
 *
 * @throws {Error} no such key
 */
export async function setKeyEnabled(
  { store }: AdminContext,
  keyId: string,
  enabled: boolean,
): Promise<ShownKey> {
  return showKey(found(await store.directory.setKeyEnabled(keyId, enabled), 'key', keyId))
}

/**
 * Creates a key on the account of another, which stays in force for `overlapMs` more milliseconds.
 * Returns the new key.
 *
 * @throws {Error} no such key
 */
export async function rotateKey(
  { store, random }: AdminContext,
  keyId: string,
  overlapMs: number,
): Promise<ShownKey & { key: string }> {
  const key = mintKey(random)
  const next = await store.directory.rotateKey(keyId, toNewKey(key, random), overlapMs)
  return { ...showKey(found(next, 'key', keyId)), key }
}

/** Every account, in the order of creation. */
export async function listAccounts({ store }: AdminContext): Promise<ShownAccount[]> {
  return (await store.directory.accounts()).map(showAccount)
}

/**
 * Moves an account to another plan, from the next request on.
 *
 * @throws {Error} no such plan or account
 */
export async function setPlan(
  { store, plans }: AdminContext,
  account: string,
  plan: string,
): Promise<ShownAccount> {
  const name = accountName(account)
  checkPlan(plans, plan)
  return showAccount(found(await store.directory.setPlan(name, plan), 'account', name))
}

/**
 * Renames an account, which keeps its keys and counts.
 *
 * @throws {Error} no such account, or the name is taken
 */
export async function renameAccount(
  { store }: AdminContext,
  account: string,
  name: string,
): Promise<ShownAccount> {
  const from = accountName(account)
  return showAccount(found(await store.directory.renameAccount(from, accountName(name)), 'account', from))
}

/**
 * Deletes an account and its keys. What was counted is kept for billing. Returns what it was.
 *
 * @throws {Error} no such account
 */
export async function deleteAccount({ store }: AdminContext, account: string): Promise<ShownAccount> {
  const name = accountName(account)
  return showAccount(found(await store.directory.deleteAccount(name), 'account', name))
}

/**
 * Deletes all that is kept under a name: the account, if it exists, and what was counted of it and
 * of deleted ones. Returns the last account that had the name.
 *
 * @throws {Error} nothing is kept under the name
 */
export async function purgeAccount({ store }: AdminContext, account: string): Promise<ShownAccount> {
  const name = accountName(account)
  const histories = await Array.fromAsync(store.directory.histories(name))
  const last = found(histories.at(-1) ?? null, 'account', name)
  await store.directory.deleteAccount(name)
  await store.directory.purge(name)
  return showAccount(last)
}

/**
 * A line for each account made by sign-up, with its keys: whoever made it holds them, and may have
 * taken the name of somebody else.
 *
 * @param wanted the accounts with these names; all without them
 */
export async function signUpNotes({ store }: AdminContext, wanted?: readonly string[]): Promise<string[]> {
  const { directory } = store
  const accounts = wanted
    ? await Promise.all(wanted.map((name) => directory.account(accountName(name))))
    : await directory.accounts()
  const made = accounts.filter((account) => account !== null).filter(({ bySignUp }) => bySignUp)
  if (made.length === 0) return []
  const keys = Map.groupBy(await directory.keys(), ({ account }) => account)
  return made.map(({ account }) => {
    const ids = keys.get(account)?.map(({ keyId }) => keyId) ?? []
    return `the account "${account}" was made by sign-up; its keys: ${ids.join(', ') || 'none'}`
  })
}

/**
 * Copies the whole store into a new file while it is in use.
 *
 * @throws {Error} the file is there already, or the store has other means
 */
export async function backup({ store }: Pick<AdminContext, 'store'>, file: string): Promise<void> {
  if (!store.backup)
    throw new Error(
      'cannot back up a Redis store: use "store copy", BGSAVE, or a copy of its append-only file',
    )
  if (existsSync(file)) throw new Error(`cannot back up to "${file}": the file exists`)
  await store.backup(file)
}

function checkPlan(plans: readonly Plan[], name: string): void {
  if (plans.some((plan) => plan.name === name)) return
  throw new Error(`no plan "${name}": there are ${plans.map((plan) => plan.name).join(', ')}`)
}

export function found<T>(record: T | null, kind: 'key' | 'account', name: string): T {
  if (record === null) throw new Error(`no ${kind} "${name}"`)
  return record
}

function showKey(key: KeyRecord) {
  const { keyId, account, plan, prefix, last4, enabled, createdAtMs, expiresAtMs } = key
  const expiresAt = expiresAtMs === null ? null : toDate(expiresAtMs)
  return { keyId, account, plan, prefix, last4, enabled, createdAt: toDate(createdAtMs), expiresAt }
}

function showAccount({ account, plan, createdAtMs }: AccountRecord) {
  return { account, plan, createdAt: toDate(createdAtMs) }
}
