import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { programPath } from './command.ts'

const dieAt = join(import.meta.dirname, '../tree/die-at.ts')

/**
 * Runs a command, and kills it at a step of the file system. If the command completes before that,
 * returns the number of its steps.
 */
export function dieAtStep(
  args: readonly string[],
  step: number,
  settings: Record<string, string> = {},
): Promise<{ signal: unknown; steps: number }> {
  const env = { PATH: process.env.PATH, DIE_AT: String(step), ...settings }
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', dieAt, programPath, ...args], { env }, (error, _, stderr) => {
      resolve({ signal: error?.signal, steps: Number(/^steps (\d+)$/m.exec(stderr)?.[1]) })
    })
  })
}
