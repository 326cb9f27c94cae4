import { createHash } from 'node:crypto'
import { clockToleranceMs } from '../clock-steps.ts'
import { aheadMinutes, windowMs } from '../window.ts'

/** A Lua script. Redis runs it by its SHA-1, or by its text if it does not have it yet. */
export interface Script {
  lua: string
  sha1: string
}

/** A window is deleted when no clock that steps back can need it any more. */
const windowLifeMs = windowMs + clockToleranceMs

/**
 * The shebang makes Redis check the script: it fails if it leaves the slot of its keys, or writes
 * although its flags say that it does not
 * (https://redis.io/docs/latest/develop/programmability/lua-api/#script_flags).
 */
function script(flags: '' | 'no-writes', body: string): Script {
  const lua = `#!lua${flags && ` flags=${flags}`}\n${body}`
  return { lua, sha1: createHash('sha1').update(lua).digest('hex') }
}

/**
 * ARGV[1] is the time in milliseconds, or empty: then the server's own counts, one for all
 * machines.
 */
const now = `
  local now = tonumber(ARGV[1])
  if not now then
    local time = redis.call('TIME')
    now = time[1] * 1000 + math.floor(time[2] / 1000)
  end`

/** The window in force, as windowInForce in window.ts says. */
function windowOf(key: string): string {
  return `
  local minute, count = math.floor(now / ${windowMs}), 0
  local stored = redis.call('GET', ${key})
  if stored then
    local storedMinute, storedCount = string.match(stored, '^(%-?%d+) (%d+)$')
    local ahead = tonumber(storedMinute) - minute
    if ahead >= 0 and ahead < ${aheadMinutes} then minute, count = tonumber(storedMinute), tonumber(storedCount) end
  end`
}

function spendPlace(key: string): string {
  return `
  count = count + 1
  redis.call('SET', ${key}, string.format('%d %d', minute, count), 'PX', ${windowLifeMs})`
}

/**
 * The account's plan (ARGV[6] on: name, units a period or empty, places a minute) and its period.
 *
 * The caller says which period it takes for the one in force, and from which creation it counts:
 * ARGV[2] to [4]. If that is wrong by the time here, or by the period last counted in when the
 * clock has just stepped back behind it, it gets the creation and the instant, and asks again.
 */
const planAndPeriod = `
  local name, createdAt, latest = unpack(redis.call('HMGET', KEYS[1], 'plan', 'createdAtMs', 'latestPeriodMs'))
  if not name then return {'nothing'} end
  local plan
  for i = 6, #ARGV, 3 do
    if ARGV[i] == name then plan = i break end
  end
  if not plan then return {'unknown_plan', name} end
  local at = now
  if latest and tonumber(latest) - now < ${clockToleranceMs} then at = math.max(now, tonumber(latest)) end
  local isFirst = ARGV[3] == createdAt
  if ARGV[2] ~= createdAt or at >= tonumber(ARGV[4]) or (at < tonumber(ARGV[3]) and not isFirst) then
    return {'other_period', tonumber(createdAt), at}
  end
  local requests = tonumber(redis.call('HGET', KEYS[2], ARGV[3]) or 0)
  local planIndex = (plan - 6) / 3`

const keyInForce = `
  local enabled, expiresAt = unpack(redis.call('HMGET', KEYS[3], 'enabled', 'expiresAtMs'))
  if enabled ~= '1' or (expiresAt and tonumber(expiresAt) <= now) then return {'nothing'} end`

/**
 * Spends a place, and a unit where one is asked for and window and quota allow.
 *
 * KEYS: account, periods, key, window. ARGV: now, creation, start and end of the period, units, the
 * plans. Returns `['met', now, index of the plan, minute, places spent, units counted before, 1 if
 * a unit was counted]`.
 */
export const consumeByKey = script(
  '',
  `${now}${keyInForce}${planAndPeriod}${windowOf('KEYS[4]')}${spendPlace('KEYS[4]')}
  local limit = tonumber(ARGV[plan + 1])
  local isCounted = ARGV[5] == '1' and count <= tonumber(ARGV[plan + 2]) and (not limit or requests < limit)
  if isCounted then
    redis.call('HINCRBY', KEYS[2], ARGV[3], 1)
    if latest ~= ARGV[3] then redis.call('HSET', KEYS[1], 'latestPeriodMs', ARGV[3]) end
  end
  return {'met', now, planIndex, minute, count, requests, isCounted and 1 or 0}`,
)

/** The same without spending. KEYS and ARGV as above; gives the same, the last number left out. */
export const peekByKey = script(
  'no-writes',
  `${now}${keyInForce}${planAndPeriod}${windowOf('KEYS[4]')}
  return {'met', now, planIndex, minute, count, requests}`,
)

/**
 * The period of an account. KEYS: account, periods. ARGV as above. Returns `['met', now, index of
 * the plan, 0, 0, units counted]`.
 */
export const readQuota = script(
  'no-writes',
  `${now}${planAndPeriod}
  return {'met', now, planIndex, 0, 0, requests}`,
)

/** KEYS: window. ARGV: now. Returns `[now, minute, places spent]`. */
export const consumeByAddress = script(
  '',
  `${now}${windowOf('KEYS[1]')}${spendPlace('KEYS[1]')}
  return {now, minute, count}`,
)

/** KEYS: window. ARGV: now. Returns `[now, minute, places spent]`. */
export const peekByAddress = script(
  'no-writes',
  `${now}${windowOf('KEYS[1]')}
  return {now, minute, count}`,
)

/** KEYS: periods. ARGV: start of the period. Returns nothing. */
export const giveBackUnit = script(
  '',
  `
  if tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or 0) > 0 then redis.call('HINCRBY', KEYS[1], ARGV[1], -1) end`,
)

/** Puts a name at the end of an index, unless it is in it. KEYS: index. ARGV: name. */
export const addToIndex = script(
  '',
  `
  local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
  redis.call('ZADD', KEYS[1], 'NX', (tonumber(last[2]) or -1) + 1, ARGV[1])`,
)

/**
 * Moves an account and its keys to another name, in one step, which no cluster could take.
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

/** KEYS: account. ARGV: now, plan. Returns `[plan, creation]`. */
export const createAccount = script(
  '',
  `${now}
  if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('HSET', KEYS[1], 'plan', ARGV[2], 'createdAtMs', now) end
  return ${accountFields}`,
)

/**
 * KEYS: account. ARGV: now, plan. Returns `[plan, creation]`, and nothing if there is such an
 * account.
 */
export const createNewAccount = script(
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
 * Makes a key; with ARGV[4], an instant, the key KEYS[3] stays in force until then, or until its
 * own, earlier expiry.
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
