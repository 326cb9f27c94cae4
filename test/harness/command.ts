import { execFile, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import type { Command } from '../../scripts/command-line.ts'
import { commands } from '../../scripts/commands.ts'
import { runProgram } from '../../scripts/program.ts'

/** The program that a user starts. */
export const programPath = fileURLToPath(new URL('../../scripts/clip-lookup.mjs', import.meta.url))

export interface Outcome {
  code: number
  stdout: string
  stderr: string
}

/** Returns the outcome of a command that fails with nothing on stdout and this text on stderr. */
export function failure(code: 1 | 2, said: string | RegExp): Outcome {
  const stderr = typeof said === 'string' ? expect.stringContaining(said) : expect.stringMatching(said)
  return { code, stdout: '', stderr: stderr as string }
}

/** Returns a stream that stores what is written to it. */
export function recorder(): { write(text: string): void; text(): string } {
  let text = ''
  return { write: (more) => void (text += more), text: () => text }
}

/** Runs the program in this process, with these commands and only these settings. */
export async function runProgramWith(
  entries: readonly Command[],
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Outcome> {
  const [stdout, stderr] = [recorder(), recorder()]
  const code = await runProgram(args, { env, stdout, stderr, commands: entries })
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

/**
 * Returns the environment of a user with only these settings. It leaves out the site, because Astro
 * takes half a minute to build it.
 */
function environment(folder: string, settings: Record<string, string>): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, INIT_CWD: folder, CLIP_LOOKUP_NO_SITE: '1', ...settings }
}

/** Runs a command in this process, as a user in the folder. */
export function run(
  folder: string,
  args: readonly string[],
  settings: Record<string, string> = {},
): Promise<Outcome> {
  return runProgramWith(commands, args, environment(folder, settings))
}

/** Runs a command with `--json`, which must succeed. Returns its output, which is one line. */
export async function runJson<T>(
  folder: string,
  args: readonly string[],
  settings: Record<string, string> = {},
): Promise<T> {
  const { code, stdout, stderr } = await run(folder, [...args, '--json'], settings)
  expect(code, `${args.join(' ')}: ${stderr}`).toBe(0)
  expect(stdout.trimEnd().split('\n')).toHaveLength(1)
  return JSON.parse(stdout) as T
}

/** Creates a key, for the account `ann` by default. Returns its text. */
export async function createKey(
  folder: string,
  args: readonly string[] = [],
  settings: Record<string, string> = {},
): Promise<string> {
  const command = ['keys', 'create', '--account', 'ann', ...args]
  return (await runJson<{ key: string }>(folder, command, settings)).key
}

/** Runs a command in its own process, with an input if there is one. */
export function runProcess(
  folder: string,
  args: readonly string[],
  settings: Record<string, string> = {},
  program = programPath,
  input?: string,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [program, ...args],
      { env: environment(folder, settings) },
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
    if (input !== undefined) child.stdin!.end(input)
  })
}

/** Starts a command in its own process and lets it run; it is killed when the test ends. */
export function start(
  folder: string,
  args: readonly string[],
  settings: Record<string, string> = {},
  program = programPath,
) {
  const child = spawn(process.execPath, [program, ...args], { env: environment(folder, settings) })
  const [stdout, stderr] = [recorder(), recorder()]
  child.stdout.on('data', (chunk: Buffer) => stdout.write(chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => stderr.write(chunk.toString()))
  const exit = new Promise<number | null>((resolve) => child.on('close', resolve))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exit
  })
  return {
    child,
    exit,
    stdout: stdout.text,
    stderr: stderr.text,
    /** Waits until stderr matches. */
    async says(pattern: RegExp): Promise<RegExpExecArray> {
      for (;;) {
        const match = pattern.exec(stderr.text())
        if (match) return match
        if (child.exitCode !== null)
          throw new Error(`it ended with ${child.exitCode} and never said ${pattern}: ${stderr.text()}`)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
  }
}
