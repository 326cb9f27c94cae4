import { DatabaseSync } from 'node:sqlite'
import type { NewKey } from '#metering/account-record.ts'
import { keyDigest } from '#metering/key.ts'
import type { MeterStore } from '#metering/meter-store.ts'
import { StoreUnavailable, type Subject } from '#metering/store.ts'
import {
  addressLimit,
  byKeyId,
  type Ask,
  type Change,
  type Model,
  type View,
  type Who,
} from './simulation-model.ts'

/** Makes a call of the simulation on a store. */
export function carryOut(store: MeterStore, call: Ask | Change): Promise<unknown> {
  if (call.verb === 'consume') return store.counters.consume(subjectOf(call.who), call.units)
  if (call.verb === 'peek') return store.counters.peek(subjectOf(call.who))
  if (call.verb === 'giveBack') return store.counters.giveBack(call.receipt)
  if (call.verb === 'setPlan') return store.directory.setPlan(call.account, call.plan)
  if (call.verb === 'setEnabled') return store.directory.setKeyEnabled(call.key, call.enabled)
  if (call.verb === 'addKey') return store.directory.addKey(call.account, newKey(call.key))
  return store.directory.rotateKey(call.key, newKey(call.next), call.overlapMs)
}

function subjectOf(who: Who): Subject {
  return 'key' in who
    ? { kind: 'key', digest: keyDigest(who.key) }
    : { kind: 'address', address: who.address, perMinute: addressLimit }
}

export function newKey(name: string): NewKey {
  return { keyId: name, digest: keyDigest(name), prefix: 'clk_abcd', last4: 'wxyz' }
}

/** Returns everything that a store shows about the accounts and addresses in `model`. */
export async function view(store: MeterStore, model: Model, sqliteFile: string | undefined): Promise<View> {
  const keys = (await store.directory.keys()).map(({ keyId, account, plan, enabled, expiresAtMs }) => {
    return { keyId, account, plan, enabled, expiresAtMs }
  })
  keys.sort(byKeyId)
  const addresses = [...model.addresses.keys()].map((address): Who => ({ address }))
  const whos = [...keys.map(({ keyId }): Who => ({ key: keyId })), ...addresses]
  const windows = await Promise.all(whos.map((who) => ifAvailable(store.counters.peek(subjectOf(who)))))
  const quotas = await Promise.all(
    [...model.accounts.keys()].map((account) => ifAvailable(store.directory.quota(account))),
  )
  return { keys, windows, quotas, counted: sqliteFile === undefined ? [] : readCounted(sqliteFile) }
}

async function ifAvailable<T>(call: Promise<T>): Promise<T | 'unavailable'> {
  return await call.catch((error: unknown) => {
    if (error instanceof StoreUnavailable) return 'unavailable'
    throw error
  })
}

/** Returns the units of every period that has any, from the file. */
function readCounted(file: string): string[] {
  const db = new DatabaseSync(file, { readOnly: true })
  const rows = db
    .prepare(
      `SELECT substr(value, instr(value, '{')) ->> 'account' AS account, start_ms, requests
      FROM periods JOIN texts ON name = 'account:' || account JOIN lines ON line = account
      WHERE requests > 0 ORDER BY lines.id, start_ms`,
    )
    .all() as { account: string; start_ms: number; requests: number }[]
  db.close()
  return rows.map(({ account, start_ms, requests }) => `${account} ${start_ms} ${requests}`)
}
