-- The schema of the store's file. A change needs a migration in store-format.ts.

-- 'config_version' is incremented by every change to an account or a key, which shows other
-- processes that what they have cached of them is stale.
CREATE TABLE meta (name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES ('config_version', 0), ('store_id', lower(hex(randomblob(16))));

-- The texts and the lists of the directory: see records.ts and account-record.ts.
CREATE TABLE texts (name TEXT PRIMARY KEY, value TEXT NOT NULL, expires_ms INTEGER) STRICT, WITHOUT ROWID;
CREATE INDEX expiring ON texts (expires_ms) WHERE expires_ms IS NOT NULL;
CREATE TABLE lines (id INTEGER PRIMARY KEY AUTOINCREMENT, list TEXT NOT NULL, line TEXT NOT NULL) STRICT;
CREATE INDEX lists ON lines (list, id);

-- The units counted of each account in each period, kept for billing, with the plan, as JSON, that was
-- last in force.
CREATE TABLE periods (
  id INTEGER PRIMARY KEY,
  account TEXT NOT NULL,
  start_ms INTEGER NOT NULL,
  requests INTEGER NOT NULL CHECK (requests >= 0),
  plan TEXT NOT NULL,
  UNIQUE (account, start_ms)
) STRICT;

-- The start of the period that an account was last counted in: not always its latest, if a clock was
-- wrong.
CREATE TABLE latest_periods (account TEXT PRIMARY KEY, start_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;

-- The last minute window of each key, and the units that it spent in the last period: one row to write.
CREATE TABLE key_counts (
  id INTEGER PRIMARY KEY,
  key_id TEXT NOT NULL UNIQUE,
  minute INTEGER NOT NULL,
  count INTEGER NOT NULL,
  start_ms INTEGER NOT NULL,
  requests INTEGER NOT NULL CHECK (requests >= 0)
) STRICT;

-- The units of other periods, which are moved here when a key first spends in another one.
CREATE TABLE key_periods (
  key_id TEXT NOT NULL, start_ms INTEGER NOT NULL, requests INTEGER NOT NULL CHECK (requests >= 0),
  PRIMARY KEY (key_id, start_ms)
) STRICT, WITHOUT ROWID;

-- The last minute window of each client address.
CREATE TABLE address_windows (
  address TEXT PRIMARY KEY, minute INTEGER NOT NULL, count INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
