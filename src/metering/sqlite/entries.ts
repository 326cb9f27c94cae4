import type { DatabaseSync } from 'node:sqlite'
import { foldName } from '../account-name.ts'
import type { StoreEntry } from '../store.ts'
import { minuteOf } from '../window.ts'

/**
 * Writes the entries of another store. Runs inside a transaction.
 *
 * @throws {Error} the file has accounts
 */
export async function writeEntries(db: DatabaseSync, entries: AsyncIterable<StoreEntry>): Promise<void> {
  if (db.prepare('SELECT 1 FROM accounts LIMIT 1').get()) throw new Error('it is not empty')
  const sql = db.createTagStore()
  for await (const entry of entries) {
    if (entry.kind === 'secret')
      sql.run`INSERT OR REPLACE INTO meta VALUES ('cursor_secret', ${entry.secret})`
    else if (entry.kind === 'key') {
      const { keyId, digest, account, prefix, last4, enabled, createdAtMs, expiresAtMs, name, note } = entry
      const { lastInsertRowid: id } = sql.run`
        INSERT INTO keys (key_id, digest, account_id, prefix, last4, enabled, created_at_ms, expires_at_ms, name, note)
        VALUES (${keyId}, ${Buffer.from(digest, 'hex')},
          (SELECT id FROM accounts WHERE folded = ${foldName(account)} AND deleted_at_ms IS NULL),
          ${prefix}, ${last4}, ${enabled ? 1 : 0}, ${createdAtMs}, ${expiresAtMs}, ${name}, ${note})`
      if (entry.lastUsedMs !== null)
        sql.run`INSERT INTO key_counts VALUES (${id}, ${minuteOf(entry.lastUsedMs)}, 0, 0, 0)`
      for (const [startMs, requests] of entry.units)
        sql.run`INSERT INTO key_periods VALUES (${id}, ${startMs}, ${requests})`
    } else {
      const latestMs = entry.periods.findLast(({ requests }) => requests > 0)?.startMs ?? null
      const { account, plan, createdAtMs, bySignUp, deletedAtMs, periods } = entry
      const { lastInsertRowid } = sql.run`
        INSERT INTO accounts (account, folded, plan, created_at_ms, by_sign_up, latest_period_ms, deleted_at_ms)
        VALUES (${account}, ${foldName(account)}, ${plan}, ${createdAtMs}, ${bySignUp ? 1 : 0}, ${latestMs}, ${deletedAtMs})`
      for (const { startMs, requests, plan } of periods)
        sql.run`
          INSERT INTO periods (account_id, start_ms, requests, plan, per_period, per_minute)
          VALUES (${lastInsertRowid}, ${startMs}, ${requests}, ${plan.name}, ${plan.perPeriod}, ${plan.perMinute})`
    }
  }
}
