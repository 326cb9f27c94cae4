import { isDeepStrictEqual } from 'node:util'
import { formatAccount, textNames, type AccountRecord } from './account-record.ts'
import type { MeterStore } from './meter-store.ts'
import type { Counts, Records } from './records.ts'

/** The permanent data of an account in a store, without windows and the sign-ups of a day. */
export interface AccountEntry {
  account: AccountRecord
  counts: Counts
  /** In the order of its keys. */
  countsOfKeys: Counts[]
}

/**
 * Copies accounts, keys, periods, the log of changes and the secret that signs cursors to an empty
 * store, then reads both again and compares them. Windows, which last a minute, and the sign-ups of
 * the day are not copied. Returns the number of each; `requests` adds up the units of all periods.
 *
 * @throws {Error} the target is not empty, or the two differ afterwards
 */
export async function copyStore(from: MeterStore, to: MeterStore) {
  const secret = await from.directory.cursorSecret()
  await fillStore(to, secret, entriesOf(from), changesOf(from))
  if (!secret.equals(await to.directory.cursorSecret()))
    throw new Error('the copy differs: the secret that signs cursors is different')
  const totals = { accounts: 0, keys: 0, periods: 0, requests: 0 }
  const rest = entriesOf(to)
  for await (const original of entriesOf(from)) {
    const { account, counts } = original
    if (!isDeepStrictEqual(original, (await rest.next()).value))
      throw new Error(`the copy differs: the account "${account.account}" is different`)
    totals.accounts++
    totals.keys += account.keys.length
    totals.periods += counts.periods.length
    for (const { requests } of counts.periods) totals.requests += requests
  }
  if (!(await rest.next()).done)
    throw new Error('the copy differs: it has records that the original does not have')
  const changes = changesOf(to)
  for await (const change of changesOf(from))
    if (change !== (await changes.next()).value)
      throw new Error('the copy differs: the log of changes is different')
  return totals
}

/** Yields every account, including deleted ones, in the order of creation. */
export async function* entriesOf({ directory, records }: MeterStore): AsyncGenerator<AccountEntry> {
  for await (const account of directory.everyAccount()) {
    const ofKeys = account.keys.map(({ keyId }) => records.counts(account.id, keyId))
    yield { account, counts: await records.counts(account.id), countsOfKeys: await Promise.all(ofKeys) }
  }
}

/** Yields the log of changes, oldest first. */
async function* changesOf({ records }: MeterStore): AsyncGenerator<string> {
  for await (const lines of records.lines('changes')) yield* lines
}

/**
 * Fills an empty store with the secret, the accounts and the changes of another. If this fails, the
 * store cannot be opened or is empty.
 *
 * @throws {Error} it is not empty
 */
export async function fillStore(
  target: MeterStore,
  secret: Buffer,
  entries: AsyncIterable<AccountEntry>,
  changes: AsyncIterable<string>,
): Promise<void> {
  const { directory, records } = target
  for await (const _ of directory.everyAccount()) throw new Error('the target is not empty')
  for await (const _ of changesOf(target)) throw new Error('the target is not empty')
  await records.filling(async () => {
    const storedSecret = await records.get(textNames.cursorSecret)
    await records.swap(textNames.cursorSecret, storedSecret, secret.toString('base64'))
    for await (const entry of entries) await writeEntry(records, entry)
    for await (const change of changes) await records.append('changes', change)
  })
}

async function writeEntry(records: Records, { account, counts, countsOfKeys }: AccountEntry): Promise<void> {
  const { id, keys, deletedAtMs } = account
  const keyLeads = keys.flatMap(({ keyId, digest }) => [textNames.key(keyId), textNames.digest(digest)])
  const leads = deletedAtMs === null ? [...keyLeads, textNames.name(account.account)] : []
  await Promise.all([
    records.append('accounts', id),
    records.swap(textNames.account(id), null, formatAccount(account)),
    ...leads.map((name) => records.swap(name, null, id)),
    records.addCounts(counts, id),
    ...keys.map(({ keyId }, i) => records.addCounts(countsOfKeys[i]!, id, keyId)),
  ])
}
