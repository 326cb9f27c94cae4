import { isDeepStrictEqual } from 'node:util'
import type { MeterStore, StoreEntry } from './store.ts'

/**
 * Copies accounts, keys, periods and the secret that signs cursors to an empty store, then reads
 * both again and compares them. Windows, which last a minute, and the sign-ups of the day are not
 * copied. Returns how much was copied; `requests` are the units counted, over all periods.
 *
 * @throws {Error} the other is not empty, or the two differ afterwards
 */
export async function copyStore(from: MeterStore, to: MeterStore) {
  await to.fill(entriesOf(from))
  const copied = { accounts: 0, keys: 0, periods: 0, requests: 0 }
  const rest = entriesOf(to)
  for await (const original of entriesOf(from)) {
    const { value: copy } = (await rest.next()) as { value?: StoreEntry }
    if (!isDeepStrictEqual(original, copy))
      throw new Error(`the copy differs: ${nameOf(original)} is not the same`)
    if (original.kind === 'key') copied.keys++
    if (original.kind !== 'account') continue
    copied.accounts++
    copied.periods += original.periods.length
    for (const { requests } of original.periods) copied.requests += requests
  }
  if (!(await rest.next()).done) throw new Error('the copy differs: it has more than the original')
  return copied
}

/**
 * All that a store keeps permanently: the secret, the accounts, deleted ones too, then the keys,
 * each in the order of creation.
 */
export async function* entriesOf(store: MeterStore): AsyncGenerator<StoreEntry> {
  const { directory } = store
  yield { kind: 'secret', secret: await directory.cursorSecret() }
  for await (const account of directory.histories()) yield { kind: 'account', ...account }
  const contents = await store.keyContents()
  for (const { plan: _, ...key } of await directory.keys()) {
    const content = contents.get(key.keyId)
    if (!content) throw new Error(`the key "${key.keyId}" can no longer be found`)
    yield { kind: 'key', ...key, ...content }
  }
}

function nameOf(entry: StoreEntry): string {
  if (entry.kind === 'account') return `the account "${entry.account}"`
  return entry.kind === 'key' ? `the key "${entry.keyId}"` : 'the secret that signs cursors'
}
