import { parse } from 'csv-parse/sync'
import type { Plan } from '#contract/plans.ts'
import { accountName } from './account-name.ts'
import { checkNewKey, createKey, type AdminContext } from './administer.ts'

/** A key to create: a line of the file. */
type KeyLine = ReturnType<typeof parseKeyLines>[number]

/**
 * Parses the text of a CSV file (RFC 4180) with a header: a column `account` and, optionally,
 * `plan`. Checks everything that can be checked without a store.
 *
 * @throws {SyntaxError} what is wrong, and in which line
 */
export function parseKeyLines(text: string, path: string, plans: readonly Plan[]) {
  let header: string[] = []
  const columns = (names: string[]) => (header = names.map((name) => name.toLowerCase()))
  try {
    const options = { bom: true, columns, info: true, skip_empty_lines: true, trim: true }
    const rows = parse(text, options) as unknown as {
      record: { account: string; plan?: string }
      info: { lines: number }
    }[]
    if (!header.includes('account') || header.some((column) => column !== 'account' && column !== 'plan'))
      throw new Error(`line 1 must be "account" or "account,plan", but it is "${header.join(',')}"`)
    return rows.map(({ record: { account, plan }, info: { lines: line } }) => {
      const newKey = { account, plan: plan || undefined, line }
      try {
        checkNewKey(plans, newKey)
      } catch (error) {
        throw new Error(`line ${line}: ${(error as Error).message}`, { cause: error })
      }
      return newKey
    })
  } catch (error) {
    throw new SyntaxError(`cannot read "${path}": ${(error as Error).message}`)
  }
}

/**
 * Creates a key for each line, and the accounts that do not exist. @throws {Error} with the line
 */
export async function* createKeys(context: AdminContext, newKeys: readonly KeyLine[]) {
  for (const { line, ...key } of newKeys) {
    yield await createKey(context, key).catch((error: Error) => {
      throw new Error(`line ${line}: ${error.message}`, { cause: error })
    })
  }
}

/**
 * Returns the keys of an account, or of all accounts, that a rotation replaces: the enabled ones
 * that do not expire.
 *
 * @throws {Error} no such account
 */
export async function keysToRotate({ store }: AdminContext, account?: string): Promise<string[]> {
  const { directory } = store
  const accounts =
    account === undefined ? await directory.accounts() : [await directory.account(accountName(account))]
  return accounts
    .flatMap(({ keys }) => keys)
    .filter(({ enabled, expiresAtMs }) => enabled && expiresAtMs === null)
    .map(({ keyId }) => keyId)
}
