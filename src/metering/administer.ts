import { toDate } from '#contract/dates.ts'
import type { Plan } from '#contract/plans.ts'
import { codePointLength } from '#kit/code-points.ts'
import type { AccountRecord, KeyRecord } from './account-record.ts'
import { accountName, newAccountName } from './account-name.ts'
import { NotThere, type LoggedChange } from './directory.ts'
import { keyDigest, mintKey, toNewKey } from './key.ts'
import type { MeterStore } from './meter-store.ts'
import { StoreUnavailable } from './store.ts'

/** The context of the use cases for accounts and keys. */
export interface AdminContext {
  store: MeterStore
  plans: readonly Plan[]
  /** The author of the changes, for their log; without it, they are not logged. */
  actor?: string | undefined
}

/** A key to create. */
export interface WantedKey {
  account: string
  plan?: string | undefined
  /** The name that the key's owner gives it. */
  name?: string | undefined
  /** The reason for its creation. */
  note?: string | undefined
}

/** The maximum length of the name and the note of a key, in characters. */
const maxTextLength = 200

/** A new key with its text, which is shown only this once. */
export type CreatedKey = Awaited<ReturnType<typeof createKey>>

/** An account as the commands show it. */
export type ShownAccount = ReturnType<typeof showAccount>

/**
 * Creates a key, and its account if that is new: on the given plan, or on `trial`.
 *
 * @throws {Error} the account name is invalid, there is no such plan, or the account is on another
 *   plan than the given one
 */
export async function createKey(context: AdminContext, newKey: WantedKey) {
  const { directory } = context.store
  const name = checkNewKey(context.plans, newKey)
  const newAccount = await directory.createAccount(name, newKey.plan ?? 'trial')
  const { account, plan } = newAccount ?? (await directory.account(name))
  if (newKey.plan !== undefined && newKey.plan !== plan) {
    throw new Error(
      `cannot create a key on the plan "${newKey.plan}": the account "${account}" is on the plan "${plan}"`,
    )
  }
  const key = mintKey()
  const [keyName, note] = [newKey.name?.trim() ?? null, newKey.note?.trim() ?? null]
  const { keyId } = await directory.addKey(account, { ...toNewKey(key), name: keyName, note })
  await logKeyChange(context, 'keys create', { account, plan, keyId })
  return { account, plan, keyId, key }
}

/**
 * Checks everything about a new key that needs no store. Returns the name of its account.
 *
 * @throws {Error} the account name is invalid, or there is no such plan
 */
export function checkNewKey(plans: readonly Plan[], newKey: WantedKey): string {
  const name = newAccountName(newKey.account)
  for (const text of [newKey.name, newKey.note])
    if (text !== undefined && (/\p{C}/u.test(text) || codePointLength(text) > maxTextLength))
      throw new Error(
        `the name and the note of a key must each have at most ${maxTextLength} characters, none of them invisible`,
      )
  if (newKey.plan !== undefined) checkPlan(plans, newKey.plan)
  return name
}

/** Lists all keys, in the order of creation. */
export async function listKeys({ store }: AdminContext) {
  return (await store.directory.keys()).map(showKey)
}

/** Lists all keys with their names and notes, and the day of their last use. */
export async function listKeyDetails({ store }: AdminContext) {
  const details = []
  for (const key of await store.directory.keys()) {
    const { latestMs } = await store.records.counts(key.accountId, key.keyId)
    const lastUsed = latestMs === null ? null : toDate(latestMs).slice(0, 10)
    details.push({ ...showKey(key), name: key.name, note: key.note, lastUsed })
  }
  return details
}

/** Lists the log of changes, oldest first. */
export async function listChanges({ store }: AdminContext) {
  const changes = await Array.fromAsync(store.directory.changes())
  return changes.map(({ atMs, actor, action, details }) => ({ at: toDate(atMs), actor, action, details }))
}

/**
 * Disables a key, or enables it again. Every process follows this from the next request on.
 *
 * @throws {Error} no such key
 */
export async function setKeyEnabled(context: AdminContext, keyId: string, isEnabled: boolean) {
  const key = showKey(await context.store.directory.setKeyEnabled(keyId, isEnabled))
  await logChange(context, isEnabled ? 'keys enable' : 'keys disable', { account: key.account, keyId })
  return key
}

/** Disables a key for its owner. Returns false if it is not valid. @throws {StoreUnavailable} */
export async function disableOwnKey({ counters, directory }: MeterStore, key: string): Promise<boolean> {
  const digest = keyDigest(key)
  const { outcome } = await counters.peek({ kind: 'key', digest })
  const keyId = counters.keyIdOf(digest)
  if (outcome === 'unknown_key' || keyId === undefined) return false
  try {
    await directory.setKeyEnabled(keyId, false)
    return true
  } catch (error) {
    // The account was deleted after the look-up of its key.
    if (error instanceof NotThere) return false
    throw error
  }
}

/**
 * Creates a key for the account of another key, which stays valid for another `overlapMs`. Returns
 * the new key.
 *
 * @throws {Error} no such key
 */
export async function rotateKey(context: AdminContext, keyId: string, overlapMs: number) {
  const key = mintKey()
  const newKey = { ...toNewKey(key), note: `rotated from ${keyId}` }
  const next = showKey(await context.store.directory.rotateKey(keyId, newKey, overlapMs))
  const overlapS = overlapMs / 1000
  await logKeyChange(context, 'keys rotate', { account: next.account, keyId, newKeyId: next.keyId, overlapS })
  return { ...next, key }
}

/** Lists all accounts, and whether they were created by sign-up. */
export async function listAccountDetails({ store }: AdminContext) {
  const accounts = await store.directory.accounts()
  return accounts.map((account) => ({ ...showAccount(account), bySignUp: account.bySignUp }))
}

/** Lists all accounts, in the order of creation. */
export async function listAccounts({ store }: AdminContext): Promise<ShownAccount[]> {
  return (await store.directory.accounts()).map(showAccount)
}

/**
 * Moves an account to another plan, from the next request on.
 *
 * @throws {Error} no such plan or account
 */
export async function setPlan(context: AdminContext, account: string, plan: string): Promise<ShownAccount> {
  const name = accountName(account)
  checkPlan(context.plans, plan)
  const accountRecord = await context.store.directory.setPlan(name, plan)
  await logChange(context, 'accounts set-plan', { account: accountRecord.account, plan })
  return showAccount(accountRecord)
}

/**
 * Renames an account, which keeps its keys and counts.
 *
 * @throws {Error} no such account, or the name is taken
 */
export async function renameAccount(context: AdminContext, account: string, name: string) {
  const [from, to] = [accountName(account), newAccountName(name)]
  const accountRecord = await context.store.directory.renameAccount(from, to)
  await logChange(context, 'accounts rename', { account: from, name: to })
  return showAccount(accountRecord)
}

/**
 * Deletes an account and its keys. Its counts are kept for billing. Returns the deleted account.
 *
 * @throws {Error} no such account
 */
export async function deleteAccount(context: AdminContext, account: string): Promise<ShownAccount> {
  const accountRecord = await context.store.directory.deleteAccount(accountName(account))
  await logChange(context, 'accounts delete', { account: accountRecord.account, plan: accountRecord.plan })
  return showAccount(accountRecord)
}

/**
 * Deletes everything under a name: the account, if it exists, and the counts of it and of deleted
 * ones. Returns the last account that had the name.
 *
 * @throws {Error} there is nothing under the name
 */
export async function purgeAccount(context: AdminContext, account: string): Promise<ShownAccount> {
  const purgedAccounts = await context.store.directory.purge(accountName(account))
  const last = purgedAccounts.at(-1)!
  await logChange(context, 'accounts purge', { account: last.account, accounts: purgedAccounts.length })
  return showAccount(last)
}

/**
 * Returns a line for each account that was created by sign-up, with its keys: whoever created it
 * has them, and may have used someone else's name.
 *
 * @param names the names of the accounts; by default all
 */
export async function signUpNotes({ store }: AdminContext, names?: readonly string[]): Promise<string[]> {
  const { directory } = store
  const accounts = names
    ? await Promise.all(names.map((name) => directory.account(accountName(name))))
    : await directory.accounts()
  return accounts
    .filter(({ bySignUp }) => bySignUp)
    .map(({ account, keys }) => {
      const ids = keys.map(({ keyId }) => keyId).join(', ') || 'none'
      return `the account "${account}" was created by sign-up; its keys: ${ids}`
    })
}

function checkPlan(plans: readonly Plan[], name: string): void {
  if (plans.some((plan) => plan.name === name)) return
  throw new Error(`there is no plan "${name}". The plans are ${plans.map((plan) => plan.name).join(', ')}`)
}

async function logChange(
  context: AdminContext,
  action: string,
  details: LoggedChange['details'],
): Promise<void> {
  const { store, actor } = context
  if (actor !== undefined) await store.directory.log({ actor, action, details })
}

/** A key is shown only once, so it must not be lost if the log cannot be written. */
async function logKeyChange(...args: Parameters<typeof logChange>): Promise<void> {
  await logChange(...args).catch((error: Error) => {
    if (!(error instanceof StoreUnavailable)) throw error
  })
}

/** Formats a key for the commands, with dates as in the contract. */
function showKey(key: KeyRecord) {
  const { keyId, account, plan, prefix, last4, enabled, createdAtMs, expiresAtMs } = key
  const expiresAt = expiresAtMs === null ? null : toDate(expiresAtMs)
  return { keyId, account, plan, prefix, last4, enabled, createdAt: toDate(createdAtMs), expiresAt }
}

function showAccount({ account, plan, createdAtMs }: AccountRecord) {
  return { account, plan, createdAt: toDate(createdAtMs) }
}
