import { isDeepStrictEqual } from 'node:util'
import { formatAccount, parseAccount, textNames, type StoredAccount } from './account-record.ts'
import type { MeterStore } from './meter-store.ts'
import type { Counts } from './records.ts'

/** What a store keeps permanently; not a window or the sign-ups of a day. */
export type StoreEntry =
  | { kind: 'secret'; secret: string }
  | { kind: 'account'; id: string; account: StoredAccount; counts: Counts }
  | { kind: 'key'; id: string; keyId: string; digest: string; counts: Counts }

/**
 * Copies accounts, keys, periods and the secret that signs cursors to an empty store, then reads
 * both again and compares them. Windows, which last a minute, and the sign-ups of the day are not
 * copied. Returns how much was copied; `requests` are the units counted, over all periods.
 *
 * @throws {Error} the other is not empty, or the two differ afterwards
 */
export async function copyStore(from: MeterStore, to: MeterStore) {
  await fillStore(to, entriesOf(from))
  const copied = { accounts: 0, keys: 0, periods: 0, requests: 0 }
  const rest = entriesOf(to)
  for await (const original of entriesOf(from)) {
    const { value: copy } = (await rest.next()) as { value?: StoreEntry }
    if (!isDeepStrictEqual(original, copy))
      throw new Error(`the copy differs: ${nameOf(original)} is not the same`)
    if (original.kind === 'key') copied.keys++
    if (original.kind !== 'account') continue
    copied.accounts++
    copied.periods += original.counts.periods.length
    for (const { requests } of original.counts.periods) copied.requests += requests
  }
  if (!(await rest.next()).done) throw new Error('the copy differs: it has more than the original')
  return copied
}

/**
 * All that a store keeps permanently: the secret, the accounts, deleted ones too, then the keys,
 * each in the order of creation.
 */
export async function* entriesOf({ directory, records }: MeterStore): AsyncGenerator<StoreEntry> {
  yield { kind: 'secret', secret: (await directory.cursorSecret()).toString('base64') }
  const places = new Map<string, { id: string; digest: string }>()
  for (const id of await linesOf(records, 'accounts')) {
    const text = await records.get(textNames.account(id))
    if (text === null) continue
    const account = parseAccount(text)
    for (const { keyId, digest } of account.keys) places.set(keyId, { id, digest })
    yield { kind: 'account', id, account, counts: await records.counts(id) }
  }
  for (const keyId of await linesOf(records, 'keys')) {
    const place = places.get(keyId)
    if (place) yield { kind: 'key', keyId, ...place, counts: await records.counts(place.id, keyId) }
  }
}

async function linesOf(records: MeterStore['records'], list: 'accounts' | 'keys'): Promise<Set<string>> {
  return new Set((await Array.fromAsync(records.lines(list, `read the ${list}`))).flat())
}

/**
 * Fills an empty store with the entries of another, in their order. If this fails, the store cannot
 * be opened or is empty.
 *
 * @throws {Error} it is not empty
 */
export async function fillStore({ records }: MeterStore, entries: AsyncIterable<StoreEntry>): Promise<void> {
  if ((await linesOf(records, 'accounts')).size > 0) throw new Error('it is not empty')
  await records.filling(async () => {
    for await (const entry of entries) await Promise.all(writeEntry(records, entry))
  })
}

function writeEntry(records: MeterStore['records'], entry: StoreEntry): Promise<unknown>[] {
  const put = async (name: string, text: string) => records.swap(name, await records.get(name), text)
  if (entry.kind === 'secret') return [put(textNames.cursorSecret, entry.secret)]
  const { id, counts } = entry
  if (entry.kind === 'key') {
    const { keyId, digest } = entry
    return [
      records.append('keys', keyId),
      put(textNames.key(keyId), id),
      put(textNames.digest(digest), id),
      records.addCounts(counts, id, keyId),
    ]
  }
  const { account } = entry
  return [
    records.append('accounts', id),
    put(textNames.account(id), formatAccount(account)),
    account.deletedAtMs === null ? put(textNames.name(account.account), id) : Promise.resolve(),
    records.addCounts(counts, id),
  ]
}

function nameOf(entry: StoreEntry): string {
  if (entry.kind === 'account') return `the account "${entry.account.account}"`
  return entry.kind === 'key' ? `the key "${entry.keyId}"` : 'the secret that signs cursors'
}
