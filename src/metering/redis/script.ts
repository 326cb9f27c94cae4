import { createHash } from 'node:crypto'

/** A Lua script. Redis runs it by its SHA-1, or by its text if it does not have it yet. */
export interface Script {
  lua: string
  sha1: string
}

/**
 * The shebang makes Redis check the script: it fails if it leaves the slot of its keys, or writes
 * although its flags say that it does not
 * (https://redis.io/docs/latest/develop/programmability/lua-api/#script_flags).
 */
export function script(flags: '' | 'no-writes', body: string): Script {
  const lua = `#!lua${flags && ` flags=${flags}`}\n${body}`
  return { lua, sha1: createHash('sha1').update(lua).digest('hex') }
}

/**
 * ARGV[1] is the time in milliseconds, or empty for the time of the server, which all machines
 * share.
 */
export const now = `
  local now = tonumber(ARGV[1])
  if not now then
    local time = redis.call('TIME')
    now = time[1] * 1000 + math.floor(time[2] / 1000)
  end`
