-- Spends a place in a minute window and, of a key, a unit of its account's quota; or only looks.
-- window.ts, period.ts and decide.ts have the rules.
--
-- KEYS: the window; of a key also the account, the counts of the account, the counts of the key.
-- ARGV: now in ms or '' for the server's own time, 1 to spend or 0 to look; of a key also the units to
-- spend, start and end of the account's period, the version of the account that the caller knows, its
-- creation, the expiry of the key or '', units a period or '', places a minute, the plan as it is noted.
--
-- Returns {'met', now, minute, places spent, units counted before, 1 if a unit was counted}, or
-- {'changed'} if the account has another version, {'expired'}, or {'other_period', an instant in it}.

local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local isSpending = ARGV[2] == '1'
local window, account, accountCounts, keyCounts = unpack(KEYS)
local units, start, ends, version, createdAt, expiresAt, perPeriod, perMinute, plan = unpack(ARGV, 3)
local latest, stored, noted

if account then
  local record = redis.call('GET', account)
  if not record or string.sub(record, 1, #version) ~= version then return {'changed'} end
  if expiresAt ~= '' and tonumber(expiresAt) <= now then return {'expired'} end
  latest, stored, noted = unpack(redis.call('HMGET', accountCounts, 'latest', start, start .. ':plan'))
  -- Lua has no calendar, so the caller computes the period that holds the instant.
  local at = math.max(now, tonumber(createdAt))
  if latest and tonumber(latest) - now < clockToleranceMs then at = math.max(at, tonumber(latest)) end
  if at < tonumber(start) or at >= tonumber(ends) then return {'other_period', at} end
end

local minute, count = math.floor(now / windowMs), 0
local held = redis.call('GET', window)
if held then
  local heldMinute, heldCount = string.match(held, '^(%-?%d+) (%d+)$')
  local ahead = tonumber(heldMinute) - minute
  if ahead >= 0 and ahead < clockToleranceMs / windowMs then
    count = tonumber(heldCount)
  end
end
if isSpending then
  count = count + 1
  -- It is deleted when no clock that steps back can need it.
  redis.call('SET', window, string.format('%d %d', minute, count), 'PX', windowMs + clockToleranceMs)
end
if not account then return {'met', now, minute, count} end

local requests = tonumber(stored or 0)
local isCounted = isSpending and units == '1' and count <= tonumber(perMinute)
  and (perPeriod == '' or requests < tonumber(perPeriod))
if isSpending then
  local today = string.format('%.0f', math.floor(now / dayMs) * dayMs)
  if redis.call('HGET', keyCounts, 'latest') ~= today then redis.call('HSET', keyCounts, 'latest', today) end
end
if isCounted then
  redis.call('HINCRBY', accountCounts, start, 1)
  redis.call('HINCRBY', keyCounts, start, 1)
  if noted ~= plan then redis.call('HSET', accountCounts, start .. ':plan', plan) end
  if latest ~= start then redis.call('HSET', accountCounts, 'latest', start) end
end
return {'met', now, minute, count, requests, isCounted and 1 or 0}
