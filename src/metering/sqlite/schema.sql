-- The schema of the store's file. Whoever changes it increments schemaVersion in file.ts.

-- 'config_version' is incremented by every change to an account or a key, which shows other
-- processes that what they have cached of them is stale.
CREATE TABLE meta (name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES ('config_version', 0), ('store_id', lower(hex(randomblob(16))));

-- The texts and the lists of the directory: see records.ts and account-record.ts.
CREATE TABLE texts (name TEXT PRIMARY KEY, value TEXT NOT NULL, expires_ms INTEGER) STRICT, WITHOUT ROWID;
CREATE INDEX expiring ON texts (expires_ms) WHERE expires_ms IS NOT NULL;
CREATE TABLE lines (id INTEGER PRIMARY KEY AUTOINCREMENT, list TEXT NOT NULL, line TEXT NOT NULL) STRICT;
CREATE INDEX lists ON lines (list, id);

-- The last minute window of each subject: a key by its id, or a client address.
CREATE TABLE windows (
  subject TEXT PRIMARY KEY, minute INTEGER NOT NULL, count INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The units counted of each subject, an account or a key by its id, in each period. All are kept for
-- billing, those of an account with the plan, as JSON, that was last in force.
CREATE TABLE periods (
  id INTEGER PRIMARY KEY,
  subject TEXT NOT NULL,
  start_ms INTEGER NOT NULL,
  requests INTEGER NOT NULL CHECK (requests >= 0),
  plan TEXT,
  UNIQUE (subject, start_ms)
) STRICT;

-- The start of the period that an account was last counted in, which is not always its latest if a
-- clock was wrong, and of the day (UTC) on which a key was last used.
CREATE TABLE latest (subject TEXT PRIMARY KEY, start_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;
