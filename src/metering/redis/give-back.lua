-- Takes a unit from counts that have one. KEYS: the counts. ARGV: the start of the period.
for _, counts in ipairs(KEYS) do
  if tonumber(redis.call('HGET', counts, ARGV[1]) or 0) > 0 then redis.call('HINCRBY', counts, ARGV[1], -1) end
end
