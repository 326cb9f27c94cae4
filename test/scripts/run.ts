import { execFile, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const door = fileURLToPath(new URL('../../scripts/clip-lookup.ts', import.meta.url))

/** The settings of a user who stands in a folder and has set nothing else. */
function environment(folder: string, settings: Record<string, string>): NodeJS.ProcessEnv {
  // Without the site: it takes Astro half a minute.
  return { PATH: process.env.PATH, INIT_CWD: folder, CLIP_LOOKUP_NO_SITE: '1', ...settings }
}

/** Runs a command as a user who stands in the folder. */
export function run(
  folder: string,
  args: readonly string[],
  settings: Record<string, string> = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [door, ...args],
      { env: environment(folder, settings) },
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

/** Starts a command and lets it run; it is ended with the test at the latest. */
export function start(folder: string, args: readonly string[], settings: Record<string, string> = {}) {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [door, ...args], {
    env: environment(folder, settings),
  })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const exit = new Promise<number | null>((resolve) => child.on('close', resolve))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exit
  })
  return {
    child,
    exit,
    stderr: () => stderr,
    /** Waits until stderr holds something. */
    async says(pattern: RegExp): Promise<RegExpExecArray> {
      for (;;) {
        const match = pattern.exec(stderr)
        if (match) return match
        if (child.exitCode !== null)
          throw new Error(`it ended with ${child.exitCode} and never said ${pattern}: ${stderr}`)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
  }
}
