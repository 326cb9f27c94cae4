import { now, script } from './script.ts'

/** Puts a name at the end of an index, unless it is in it. KEYS: index. ARGV: name. */
export const addToIndex = script(
  '',
  `
  local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
  redis.call('ZADD', KEYS[1], 'NX', (tonumber(last[2]) or -1) + 1, ARGV[1])`,
)

/**
 * Moves an account and its keys to another name, in one step. A cluster cannot do that.
 *
 * KEYS: old account, new account, index of accounts, then pairs of an old and a new key, then the
 * pointers. ARGV: old name, new name, number of pairs, then what each pointer is to hold.
 * Returns 1, 0 if there is no such account, -1 if the name is taken.
 */
export const renameAccount = script(
  '',
  `
  if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
  if redis.call('EXISTS', KEYS[2]) == 1 then return -1 end
  local pointersAt = 4 + 2 * tonumber(ARGV[3])
  for i = 4, pointersAt - 1, 2 do
    if redis.call('EXISTS', KEYS[i]) == 1 then redis.call('RENAME', KEYS[i], KEYS[i + 1]) end
  end
  for i = pointersAt, #KEYS do redis.call('SET', KEYS[i], ARGV[4 + i - pointersAt]) end
  redis.call('ZADD', KEYS[3], redis.call('ZSCORE', KEYS[3], ARGV[1]), ARGV[2])
  redis.call('ZREM', KEYS[3], ARGV[1])
  return 1`,
)

const accountFields = `redis.call('HMGET', KEYS[1], 'plan', 'createdAtMs')`

/**
 * KEYS: account. ARGV: now, plan. Returns `[plan, creation]`, and nothing if there is such an
 * account.
 */
export const createAccount = script(
  '',
  `${now}
  if redis.call('EXISTS', KEYS[1]) == 1 then return false end
  redis.call('HSET', KEYS[1], 'plan', ARGV[2], 'createdAtMs', now)
  return ${accountFields}`,
)

const dayMs = 86_400_000

/**
 * KEYS: sign-ups of an address. ARGV: now, how many a day. Returns 1 where one more was counted,
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

/** KEYS: account. ARGV: plan. Returns `[plan, creation]`, both null if there is no such account. */
export const changePlan = script(
  '',
  `
  if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSET', KEYS[1], 'plan', ARGV[1]) end
  return ${accountFields}`,
)

/**
 * Returns `[plan, prefix, last4, enabled, creation, expiry]`; without the key, prefix and all after
 * it are null.
 */
function keyFields(key: string): string {
  return `{redis.call('HGET', KEYS[1], 'plan'),
    unpack(redis.call('HMGET', ${key}, 'prefix', 'last4', 'enabled', 'createdAtMs', 'expiresAtMs'))}`
}

/** KEYS: account, key. Returns the fields of the key. */
export const readKey = script('no-writes', `return ${keyFields('KEYS[2]')}`)

/** KEYS: account, key. ARGV: 1 or 0. Returns the fields of the key. */
export const enableKey = script(
  '',
  `
  if redis.call('EXISTS', KEYS[2]) == 1 then redis.call('HSET', KEYS[2], 'enabled', ARGV[1]) end
  return ${keyFields('KEYS[2]')}`,
)

/**
 * Creates a key. With ARGV[4] the key KEYS[3] expires after that time, or at its own, earlier
 * expiry.
 *
 * KEYS: account, new key, rotated key. ARGV: now, prefix, last4, overlap of the rotated key.
 * Returns the fields of the new key, and nothing if there is no account, or no key to rotate, or
 * the new one is there.
 */
export const createKey = script(
  '',
  `${now}
  if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('EXISTS', KEYS[2]) == 1 then return false end
  if ARGV[4] then
    if redis.call('EXISTS', KEYS[3]) == 0 then return false end
    local expiresAt = redis.call('HGET', KEYS[3], 'expiresAtMs')
    local ends = now + tonumber(ARGV[4])
    if not expiresAt or ends < tonumber(expiresAt) then redis.call('HSET', KEYS[3], 'expiresAtMs', string.format('%.0f', ends)) end
  end
  redis.call('HSET', KEYS[2], 'prefix', ARGV[2], 'last4', ARGV[3], 'enabled', '1', 'createdAtMs', now)
  return ${keyFields('KEYS[2]')}`,
)
