import { clockToleranceMs } from '../clock-steps.ts'
import { aheadMinutes, windowMs } from '../window.ts'
import { now, script } from './script.ts'

/** A window is deleted when no clock that steps back can need it. */
const windowLifeMs = windowMs + clockToleranceMs

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
 * The account of KEYS[1] and its period in force, of KEYS[2].
 *
 * The caller sends the period that it thinks is in force, and the creation that it counts from:
 * ARGV[2] to [4]. If another period is in force, by the time here or because the clock has stepped
 * back from the period last counted in, the caller gets the creation and the instant, and calls
 * again.
 */
const accountInPeriod = `
  local name, planName, createdAt, latest, deletedAt =
    unpack(redis.call('HMGET', KEYS[1], 'name', 'plan', 'createdAtMs', 'latestPeriodMs', 'deletedAtMs'))
  if not name or deletedAt then return {'nothing'} end
  local at = now
  if latest and tonumber(latest) - now < ${clockToleranceMs} then at = math.max(now, tonumber(latest)) end
  local isFirst = ARGV[3] == createdAt
  if ARGV[2] ~= createdAt or at >= tonumber(ARGV[4]) or (at < tonumber(ARGV[3]) and not isFirst) then
    return {'other_period', tonumber(createdAt), at}
  end
  local planField = ARGV[3] .. ':plan'`

/** The account's plan, of those in ARGV[6] on (name, units a period or empty, places a minute). */
const planInForce = `
  local plan
  for i = 6, #ARGV, 3 do
    if ARGV[i] == planName then plan = i break end
  end
  if not plan then return {'unknown_plan', name, planName} end
  local stored, noted = unpack(redis.call('HMGET', KEYS[2], ARGV[3], planField))
  local requests = tonumber(stored or 0)
  local planIndex = (plan - 6) / 3`

const keyInForce = `
  local enabled, expiresAt, lastDay = unpack(redis.call('HMGET', KEYS[3], 'enabled', 'expiresAtMs', 'lastDay'))
  if enabled ~= '1' or (expiresAt and tonumber(expiresAt) <= now) then return {'nothing'} end`

/**
 * Spends a place, and a unit if the call wants one and window and quota allow it.
 *
 * KEYS: account, periods, key, window. ARGV: now, creation, start and end of the period, units, the
 * plans. Returns `['met', name of the account, now, index of the plan, minute, places spent, units
 * counted before, 1 if a unit was counted]`.
 */
export const consumeByKey = script(
  '',
  `${now}${keyInForce}${accountInPeriod}${planInForce}${windowOf('KEYS[4]')}${spendPlace('KEYS[4]')}
  local today = string.format('%d', math.floor(now / 86400000))
  if lastDay ~= today then redis.call('HSET', KEYS[3], 'lastDay', today) end
  local limit = tonumber(ARGV[plan + 1])
  local isCounted = ARGV[5] == '1' and count <= tonumber(ARGV[plan + 2]) and (not limit or requests < limit)
  if isCounted then
    redis.call('HINCRBY', KEYS[2], ARGV[3], 1)
    redis.call('HINCRBY', KEYS[3], 'units:' .. ARGV[3], 1)
    local spending = ARGV[plan] .. ' ' .. ARGV[plan + 1] .. ' ' .. ARGV[plan + 2]
    if noted ~= spending then redis.call('HSET', KEYS[2], planField, spending) end
    if latest ~= ARGV[3] then redis.call('HSET', KEYS[1], 'latestPeriodMs', ARGV[3]) end
  end
  return {'met', name, now, planIndex, minute, count, requests, isCounted and 1 or 0}`,
)

/** The same without spending. KEYS and ARGV as above; returns the same without the last number. */
export const peekByKey = script(
  'no-writes',
  `${now}${keyInForce}${accountInPeriod}${planInForce}${windowOf('KEYS[4]')}
  return {'met', name, now, planIndex, minute, count, requests}`,
)

/**
 * The period of an account. KEYS: account, periods. ARGV as above. Returns `['met', name of the
 * account, now, index of the plan, 0, 0, units counted]`.
 */
export const readQuota = script(
  'no-writes',
  `${now}${accountInPeriod}${planInForce}
  return {'met', name, now, planIndex, 0, 0, requests}`,
)

/**
 * Moves an account to a plan. KEYS: account, periods. ARGV: now, creation, start and end of the
 * period, name of the plan, what to note of it in the period or empty. Returns `['met']`.
 */
export const changePlan = script(
  '',
  `${now}${accountInPeriod}
  redis.call('HSET', KEYS[1], 'plan', ARGV[5])
  if ARGV[6] ~= '' then redis.call('HSET', KEYS[2], planField, ARGV[6]) end
  return {'met'}`,
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

/** KEYS: periods, key. ARGV: start of the period. Returns nothing. */
export const giveBackUnit = script(
  '',
  `
  local function giveBack(key, field)
    if tonumber(redis.call('HGET', key, field) or 0) == 0 then return end
    redis.call('HINCRBY', key, field, -1)
  end
  giveBack(KEYS[1], ARGV[1])
  giveBack(KEYS[2], 'units:' .. ARGV[1])`,
)
