import { now, script } from './script.ts'

/** Puts a name at the end of an index, unless it is in it. KEYS: index. ARGV: name. */
export const addToIndex = script(
  '',
  `
  local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
  redis.call('ZADD', KEYS[1], 'NX', (tonumber(last[2]) or -1) + 1, ARGV[1])`,
)

/** Deletes a pointer if it still leads there. KEYS: pointer. ARGV: where. */
export const deletePointer = script(
  '',
  `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end`,
)

/**
 * The fields of an account, `[name, plan, creation, 1 if by sign-up]`; nothing if it was deleted or
 * there is none.
 */
const accountFields = `
  local fields = redis.call('HMGET', KEYS[1], 'name', 'plan', 'createdAtMs', 'bySignUp', 'deletedAtMs')
  if not fields[1] or fields[5] then return false end`

/**
 * KEYS: account, periods. ARGV: now, name, plan, 1 if by sign-up else empty, what to note of the
 * plan in the first period. Returns the fields of the account, and nothing if there is such an
 * account.
 */
export const createAccount = script(
  '',
  `${now}
  if redis.call('EXISTS', KEYS[1]) == 1 then return false end
  redis.call('HSET', KEYS[1], 'name', ARGV[2], 'plan', ARGV[3], 'createdAtMs', now, 'bySignUp', ARGV[4])
  if ARGV[5] ~= '' then redis.call('HSET', KEYS[2], string.format('%.0f:plan', now), ARGV[5]) end
  ${accountFields}
  return fields`,
)

/** KEYS: account. Returns its fields. */
export const readAccount = script('no-writes', `${accountFields} return fields`)

/** KEYS: account. ARGV: another name. Returns the fields of the account, with that name. */
export const renameAccount = script(
  '',
  `${accountFields}
  redis.call('HSET', KEYS[1], 'name', ARGV[1])
  fields[1] = ARGV[1]
  return fields`,
)

/** KEYS: account. ARGV: now. Returns the fields that it had. */
export const deleteAccount = script(
  '',
  `${now}${accountFields}
  redis.call('HSET', KEYS[1], 'deletedAtMs', now)
  return fields`,
)

/** KEYS: log of changes. ARGV: now, change as JSON, how many to keep. */
export const logChange = script(
  '',
  `${now}
  redis.call('RPUSH', KEYS[1], string.format('%.0f ', now) .. ARGV[2])
  redis.call('LTRIM', KEYS[1], -tonumber(ARGV[3]), -1)`,
)

const dayMs = 86_400_000

/**
 * KEYS: sign-ups of a network. ARGV: now, how many a day. Returns 1 where one more was counted,
 * else 0.
 */
export const countSignUp = script(
  '',
  `${now}
  local day, count = math.floor(now / ${dayMs}), 0
  local stored = redis.call('GET', KEYS[1])
  if stored then
    local storedDay, storedCount = string.match(stored, '^(%d+) (%d+)$')
    local ahead = tonumber(storedDay) - day
    if ahead == 0 or ahead == 1 then day, count = tonumber(storedDay), tonumber(storedCount) end
  end
  if count >= tonumber(ARGV[2]) then return 0 end
  redis.call('SET', KEYS[1], string.format('%d %d', day, count + 1), 'PX', ${2 * dayMs})
  return 1`,
)

/**
 * Returns `[account, plan, prefix, last4, enabled, creation, expiry, name, note, day of last use]`;
 * nothing without the account or the key.
 */
const keyFields = `
  local name, plan, deletedAt = unpack(redis.call('HMGET', KEYS[1], 'name', 'plan', 'deletedAtMs'))
  if not name or deletedAt or redis.call('EXISTS', KEYS[2]) == 0 then return false end
  return {name, plan,
    unpack(redis.call('HMGET', KEYS[2], 'prefix', 'last4', 'enabled', 'createdAtMs', 'expiresAtMs', 'name', 'note', 'lastDay'))}`

/** KEYS: account, key. Returns the fields of the key. */
export const readKey = script('no-writes', keyFields)

/** KEYS: account, key. ARGV: 1 or 0. Returns the fields of the key. */
export const enableKey = script(
  '',
  `
  if redis.call('EXISTS', KEYS[2]) == 1 then redis.call('HSET', KEYS[2], 'enabled', ARGV[1]) end
  ${keyFields}`,
)

/**
 * Creates a key. With ARGV[8] the key KEYS[4] expires after that time, or at its own, earlier
 * expiry.
 *
 * KEYS: account, new key, keys of the account, rotated key. ARGV: now, key id, digest, prefix,
 * last4, name, note, overlap of the rotated key. Returns the fields of the new key, and nothing if
 * there is no account, or no key to rotate, or the new one is there.
 */
export const createKey = script(
  '',
  `${now}
  if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], 'deletedAtMs') == 1 then return false end
  if redis.call('EXISTS', KEYS[2]) == 1 then return false end
  if ARGV[8] then
    if redis.call('EXISTS', KEYS[4]) == 0 then return false end
    local expiresAt = redis.call('HGET', KEYS[4], 'expiresAtMs')
    local ends = now + tonumber(ARGV[8])
    if not expiresAt or ends < tonumber(expiresAt) then redis.call('HSET', KEYS[4], 'expiresAtMs', string.format('%.0f', ends)) end
  end
  redis.call('HSET', KEYS[3], ARGV[2], ARGV[3])
  redis.call('HSET', KEYS[2], 'prefix', ARGV[4], 'last4', ARGV[5], 'enabled', '1', 'createdAtMs', now)
  if ARGV[6] ~= '' then redis.call('HSET', KEYS[2], 'name', ARGV[6]) end
  if ARGV[7] ~= '' then redis.call('HSET', KEYS[2], 'note', ARGV[7]) end
  ${keyFields}`,
)
