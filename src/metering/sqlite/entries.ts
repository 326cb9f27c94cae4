import type { DatabaseSync } from 'node:sqlite'
import type { StoreEntry } from '../store.ts'

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
      const { keyId, digest, account, prefix, last4, enabled, createdAtMs, expiresAtMs } = entry
      sql.run`
        INSERT INTO keys (key_id, digest, account_id, prefix, last4, enabled, created_at_ms, expires_at_ms)
        VALUES (${keyId}, ${Buffer.from(digest, 'hex')}, (SELECT id FROM accounts WHERE account = ${account}),
          ${prefix}, ${last4}, ${enabled ? 1 : 0}, ${createdAtMs}, ${expiresAtMs})`
    } else {
      const latestMs = entry.periods.at(-1)?.startMs ?? null
      const { account, plan, createdAtMs, periods } = entry
      const { lastInsertRowid } = sql.run`
        INSERT INTO accounts (account, plan, created_at_ms, latest_period_ms)
        VALUES (${account}, ${plan}, ${createdAtMs}, ${latestMs})`
      for (const { startMs, requests } of periods)
        sql.run`INSERT INTO periods (account_id, start_ms, requests) VALUES (${lastInsertRowid}, ${startMs}, ${requests})`
    }
  }
}
