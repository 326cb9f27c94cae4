-- Replaces a text by another if it still is the one that is expected. '' is no text.
-- KEYS: the text; to note a plan, also the counts of its account.
-- ARGV: the text expected, the next one, how long it lives in ms or ''; the field and the plan to note.
-- Returns 1 if it was replaced, else 0.
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
if ARGV[2] == '' then
  redis.call('DEL', KEYS[1])
elseif ARGV[3] == '' then
  redis.call('SET', KEYS[1], ARGV[2])
else
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
end
if KEYS[2] then redis.call('HSET', KEYS[2], ARGV[4], ARGV[5]) end
return 1
