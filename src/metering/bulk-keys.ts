import { parse } from 'csv-parse/sync'
import { accountName } from './account-name.ts'
import {
  checkNewKey,
  createKey,
  found,
  rotateKey,
  type AdminContext,
  type CreatedKey,
  type ShownKey,
} from './administer.ts'
import type { Plan } from '#contract/plans.ts'

/** A key to create: a line of the file. */
type WantedKey = ReturnType<typeof parseWantedKeys>[number]

/** The result of a bulk operation: what was done, and why it stopped early, if it did. */
export interface BulkResult<T> {
  done: T[]
  fault?: Error
}

/**
 * Parses the text of a CSV file (RFC 4180) with a header: a column `account` and, if wanted,
 * `plan`. Checks all that can be checked without a store.
 *
 * @throws {SyntaxError} what is wrong, and in which line
 */
export function parseWantedKeys(text: string, path: string, plans: readonly Plan[]) {
  const records = readRecords(text, path)
  const [header] = records
  const columns = header?.fields.map((field) => field.trim().toLowerCase()) ?? []
  const unknown = columns.find((column) => column !== 'account' && column !== 'plan')
  if (!columns.includes('account') || unknown !== undefined)
    throw new SyntaxError(
      `cannot read "${path}": line 1 must be "account" or "account,plan", got "${columns.join(',')}"`,
    )
  return records.slice(1).map(({ fields, line }) => {
    const field = (name: string) => fields[columns.indexOf(name)]?.trim() || undefined
    const wanted = { account: field('account') ?? '', plan: field('plan'), line }
    try {
      checkNewKey(plans, wanted)
    } catch (error) {
      throw new SyntaxError(`cannot read "${path}": line ${line}: ${(error as Error).message}`)
    }
    return wanted
  })
}

function readRecords(text: string, path: string): { fields: string[]; line: number }[] {
  try {
    const rows = parse(text, { bom: true, info: true, skip_empty_lines: true }) as unknown as {
      record: string[]
      info: { lines: number }
    }[]
    return rows.map(({ record, info }) => ({ fields: record, line: info.lines }))
  } catch (error) {
    throw new SyntaxError(`cannot read "${path}": ${(error as Error).message}`)
  }
}

/** Creates a key for each line, and the accounts that are new. Stops at the first failure. */
export async function createKeys(
  context: AdminContext,
  wanted: readonly WantedKey[],
): Promise<BulkResult<CreatedKey>> {
  return await each(wanted, async ({ line, ...key }) => {
    try {
      return await createKey(context, key)
    } catch (error) {
      throw new Error(`line ${line}: ${(error as Error).message}`, { cause: error })
    }
  })
}

/** Rotates keys, one after another. Stops at the first failure. */
export async function rotateKeys(
  context: AdminContext,
  keyIds: readonly string[],
  overlapMs: number,
): Promise<BulkResult<ShownKey & { key: string }>> {
  return await each(keyIds, (keyId) => rotateKey(context, keyId, overlapMs))
}

/**
 * The keys of an account, or of all accounts, that a rotation replaces: those that are enabled and
 * do not expire.
 *
 * @throws {Error} no such account
 */
export async function keysToRotate({ store }: AdminContext, account?: string): Promise<string[]> {
  const name = account === undefined ? undefined : accountName(account)
  if (name !== undefined) found(await store.directory.account(name), 'account', name)
  const keys = await store.directory.keys()
  return keys
    .filter((key) => name === undefined || key.account === name)
    .filter((key) => key.enabled && key.expiresAtMs === null)
    .map(({ keyId }) => keyId)
}

/** Keys are shown only once, so those that were created before a fault must not be lost with it. */
async function each<Item, T>(
  items: readonly Item[],
  work: (item: Item) => Promise<T>,
): Promise<BulkResult<T>> {
  const done: T[] = []
  try {
    for (const item of items) done.push(await work(item))
    return { done }
  } catch (error) {
    return { done, fault: error as Error }
  }
}
