import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { clockToleranceMs } from '../clock-steps.ts'
import { dayMs, windowMs } from '../window.ts'

/** A Lua script. Redis runs it by its SHA-1, or by its text if it does not have it yet. */
export interface Script {
  lua: string
  sha1: string
}

/** The constants of the rules, for the scripts. */
const constants = `local windowMs, dayMs, clockToleranceMs = ${windowMs}, ${dayMs}, ${clockToleranceMs}`

/**
 * Reads a script from the file beside this one.
 *
 * The shebang makes Redis check the script: it fails if it leaves the slot of its keys, or writes
 * although its flags say that it does not
 * (https://redis.io/docs/latest/develop/programmability/lua-api/#script_flags).
 */
function readScript(file: string, flags: '' | ' flags=no-writes' = ''): Script {
  const body = readFileSync(join(import.meta.dirname, file), 'utf8')
  const lua = `#!lua${flags}\n${constants}\n${body}`
  return { lua, sha1: createHash('sha1').update(lua).digest('hex') }
}

export const scripts = {
  spend: readScript('meter.lua'),
  /** The same script for a peek, which Redis runs even if it is out of memory. */
  look: readScript('meter.lua', ' flags=no-writes'),
  giveBack: readScript('give-back.lua'),
  swap: readScript('swap.lua'),
}
