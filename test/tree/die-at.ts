/**
 * Loaded before a program (`--import`), ends it as kill -9 does, at the step of the file system
 * with the number DIE_AT, counted from 0. A program that completes prints its number of steps on
 * stderr.
 */
import fs from 'node:fs'
import fsPromises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

const dieAt = Number(process.env.DIE_AT)
let steps = 0

watch(fsPromises, ['appendFile', 'link', 'mkdir', 'open', 'rename', 'rm', 'writeFile'])
watch(fs, ['appendFileSync', 'mkdirSync', 'renameSync', 'rmSync', 'unlinkSync', 'writeFileSync'])

function watch(module: object, names: readonly string[]): void {
  const functions = module as Record<string, (...args: unknown[]) => unknown>
  for (const name of names) {
    const real = functions[name]!
    functions[name] = (...args) => {
      if (steps++ === dieAt) process.kill(process.pid, 'SIGKILL')
      return real(...args)
    }
  }
}
syncBuiltinESMExports()
process.on('exit', () => process.stderr.write(`steps ${steps}\n`))
