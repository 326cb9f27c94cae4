import type { DatabaseSync } from 'node:sqlite'

/** The statements of `SqliteDirectory`. */
export function prepareDirectoryStatements(db: DatabaseSync) {
  const accounts = 'SELECT account, plan, created_at_ms AS createdAtMs FROM accounts'
  const keys = `
    SELECT key_id AS keyId, account, plan, prefix, last4, enabled, k.created_at_ms AS createdAtMs, expires_at_ms AS expiresAtMs
    FROM keys k JOIN accounts a ON a.id = k.account_id`
  return {
    configChanged: db.prepare(`UPDATE meta SET value = value + 1 WHERE name = 'config_version'`),
    secret: db.prepare(`SELECT value FROM meta WHERE name = 'cursor_secret'`),
    keepSecret: db.prepare(`INSERT INTO meta VALUES ('cursor_secret', ?)`),
    account: db.prepare(`${accounts} WHERE account = ?`),
    accounts: db.prepare(`${accounts} ORDER BY id`),
    accountId: db.prepare('SELECT id FROM accounts WHERE account = ?'),
    addAccount: db.prepare('INSERT OR IGNORE INTO accounts (account, plan, created_at_ms) VALUES (?, ?, ?)'),
    signUps: db.prepare('SELECT day, count FROM sign_ups WHERE address = ?'),
    putSignUps: db.prepare('INSERT OR REPLACE INTO sign_ups VALUES (?, ?, ?)'),
    deleteSignUps: db.prepare('DELETE FROM sign_ups WHERE day < ?'),
    setPlan: db.prepare('UPDATE accounts SET plan = ? WHERE account = ?'),
    renameAccount: db.prepare('UPDATE accounts SET account = ? WHERE account = ?'),
    deleteWindows: db.prepare(
      'DELETE FROM key_windows WHERE key_id IN (SELECT id FROM keys WHERE account_id = ?)',
    ),
    deleteKeys: db.prepare('DELETE FROM keys WHERE account_id = ?'),
    deletePeriods: db.prepare('DELETE FROM periods WHERE account_id = ?'),
    deleteAccount: db.prepare('DELETE FROM accounts WHERE id = ?'),
    periods: db.prepare(`
      SELECT start_ms AS startMs, requests FROM periods
      WHERE account_id = (SELECT id FROM accounts WHERE account = ?) ORDER BY start_ms`),
    key: db.prepare(`${keys} WHERE key_id = ?`),
    keys: db.prepare(`${keys} ORDER BY k.id`),
    addKey: db.prepare(`
      INSERT INTO keys (key_id, digest, account_id, prefix, last4, enabled, created_at_ms)
      VALUES (?, ?, (SELECT id FROM accounts WHERE account = ?), ?, ?, 1, ?)`),
    setKeyEnabled: db.prepare('UPDATE keys SET enabled = ? WHERE key_id = ?'),
    expireKey: db.prepare('UPDATE keys SET expires_at_ms = ? WHERE key_id = ?'),
  }
}
