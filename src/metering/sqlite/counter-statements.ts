import type { DatabaseSync } from 'node:sqlite'

/** The statements of `CounterRows`. */
export function prepareCounterStatements(db: DatabaseSync) {
  return {
    dataVersion: db.prepare('PRAGMA data_version'),
    configVersion: db.prepare(`SELECT value FROM meta WHERE name = 'config_version'`),
    key: db.prepare(`
    SELECT k.id, key_id AS keyId, enabled, expires_at_ms AS expiresAtMs, a.id AS accountId, account, plan, a.created_at_ms AS createdAtMs
    FROM keys k JOIN accounts a ON a.id = k.account_id WHERE digest = ?`),
    keyWindow: db.prepare('SELECT minute, count FROM key_windows WHERE key_id = ?'),
    addKeyWindow: db.prepare('INSERT INTO key_windows VALUES (?, ?, ?)'),
    updateKeyWindow: db.prepare('UPDATE key_windows SET minute = ?, count = ? WHERE key_id = ?'),
    addressWindow: db.prepare('SELECT minute, count FROM address_windows WHERE address = ?'),
    putAddressWindow: db.prepare('INSERT OR REPLACE INTO address_windows VALUES (?, ?, ?)'),
    sweep: db.prepare('DELETE FROM address_windows WHERE minute < ?'),
    setLatestPeriod: db.prepare('UPDATE accounts SET latest_period_ms = ? WHERE id = ?'),
    addPeriod: db.prepare('INSERT INTO periods (account_id, start_ms, requests) VALUES (?, ?, ?)'),
    updatePeriod: db.prepare('UPDATE periods SET requests = ? WHERE id = ?'),
    giveBack: db.prepare(`
    UPDATE periods SET requests = requests - 1
    WHERE account_id = (SELECT id FROM accounts WHERE account = ?) AND start_ms = ? AND requests > 0`),
  }
}
