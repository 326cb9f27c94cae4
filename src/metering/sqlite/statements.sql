-- The statements of the store, each after a line with its name. statements.ts prepares them.

-- name: getText
SELECT value FROM texts WHERE name = ?
-- name: putText
INSERT OR REPLACE INTO texts VALUES (?, ?, ?)
-- name: deleteText
DELETE FROM texts WHERE name = ?
-- name: deleteExpired
DELETE FROM texts WHERE expires_ms < ?

-- name: append
INSERT INTO lines (list, line) VALUES (?, ?)
-- name: deleteOldest
DELETE FROM lines WHERE list = ?
  AND id <= (SELECT id FROM lines WHERE list = ? ORDER BY id DESC LIMIT 1 OFFSET ?)
-- name: drop
DELETE FROM lines WHERE list = ? AND line = ?
-- name: lines
SELECT id, line FROM lines WHERE list = ? AND id > ? ORDER BY id LIMIT ?

-- name: dataVersion
PRAGMA data_version
-- name: configVersion
SELECT value FROM meta WHERE name = 'config_version'
-- name: incrementVersion
UPDATE meta SET value = value + 1 WHERE name = 'config_version'

-- name: period
SELECT (SELECT start_ms FROM latest_periods WHERE account = ?) AS latestMs,
  id AS rowId, coalesce(requests, 0) AS requests, plan
FROM (SELECT 1) LEFT JOIN periods ON account = ? AND start_ms = ?
-- name: addPeriod
INSERT INTO periods (account, start_ms, requests, plan) VALUES (?, ?, ?, ?)
-- name: updatePeriod
UPDATE periods SET requests = ?, plan = ? WHERE id = ?
-- name: notePlan
INSERT INTO periods (account, start_ms, requests, plan) VALUES (?, ?, 0, ?)
ON CONFLICT DO UPDATE SET plan = excluded.plan
-- name: giveBack
UPDATE periods SET requests = requests - 1 WHERE account = ? AND start_ms = ? AND requests > 0
-- name: periods
SELECT start_ms AS startMs, requests, plan FROM periods WHERE account = ? ORDER BY start_ms
-- name: dropPeriods
DELETE FROM periods WHERE account = ?

-- name: latest
SELECT max(start_ms) AS latestMs FROM latest_periods WHERE account = ?
-- name: putLatest
INSERT OR REPLACE INTO latest_periods VALUES (?, ?)
-- name: dropLatest
DELETE FROM latest_periods WHERE account = ?

-- name: keyCounts
SELECT id AS rowId, minute, count, start_ms AS startMs, requests FROM key_counts WHERE key_id = ?
-- name: addKeyCounts
INSERT INTO key_counts (key_id, minute, count, start_ms, requests) VALUES (?, ?, ?, ?, ?)
-- name: updateKeyCounts
UPDATE key_counts SET minute = ?, count = ?, start_ms = ?, requests = ? WHERE id = ?
-- name: giveBackOfKey
UPDATE key_counts SET requests = requests - 1 WHERE key_id = ? AND start_ms = ? AND requests > 0
-- name: lastUse
-- The start of the day, which has 1440 minutes.
SELECT max(minute) / 1440 * 86400000 AS latestMs FROM key_counts WHERE key_id = ?
-- name: dropKeyCounts
DELETE FROM key_counts WHERE key_id = ?

-- name: addKeyPeriod
INSERT INTO key_periods VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET requests = requests + excluded.requests
-- name: giveBackOfKeyPeriod
UPDATE key_periods SET requests = requests - 1 WHERE key_id = ? AND start_ms = ? AND requests > 0
-- name: keyPeriods
SELECT start_ms AS startMs, sum(requests) AS requests, NULL AS plan
FROM (SELECT key_id, start_ms, requests FROM key_counts UNION ALL SELECT * FROM key_periods)
WHERE key_id = ? AND requests > 0 GROUP BY start_ms ORDER BY start_ms
-- name: dropKeyPeriods
DELETE FROM key_periods WHERE key_id = ?

-- name: addressWindow
SELECT minute, count FROM address_windows WHERE address = ?
-- name: putAddressWindow
INSERT OR REPLACE INTO address_windows VALUES (?, ?, ?)
-- name: sweep
DELETE FROM address_windows WHERE minute < ?
