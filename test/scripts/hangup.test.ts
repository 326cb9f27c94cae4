import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { programPath } from '../harness/command.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { buildTree, clips, corpus } from '../nightly/small-corpus.ts'

const isHere = spawnSync('script', ['--version']).status === 0

test.skipIf(!isHere)(
  `SIGHUP is no end, but a terminal that is closed is${isHere ? '' : ' (skipped: util-linux script is not here)'}`,
  async () => {
    const folder = tempFolder()
    await writeSourceFolder(join(folder, 'src'), corpus(clips(1)))
    await buildTree(join(folder, 'src'), join(folder, 'dist'))
    const log = join(folder, 'log')
    const serve = `exec "${process.execPath}" "${programPath}" serve --port 0 --workers 1 2>"${log}"`
    const env = { PATH: process.env.PATH, INIT_CWD: folder, SHELL: '/bin/sh' }
    const terminal = spawn('script', ['-qec', serve, '/dev/null'], { env, stdio: 'ignore' })
    onTestFinished(() => void terminal.kill('SIGKILL'))
    const says = (pattern: RegExp) =>
      expect.poll(() => readFileSync(log, { encoding: 'utf8', flag: 'a+' })).toMatch(pattern)

    await says(/^listening on/m)
    const pid = Number(/"pid":(\d+)/.exec(readFileSync(log, 'utf8'))![1])
    onTestFinished(() => {
      if (isRunning(pid)) process.kill(pid, 'SIGKILL')
    })
    process.kill(pid, 'SIGHUP')
    await says(/stays in service/)
    terminal.kill('SIGKILL')
    await says(/the terminal was closed: draining/)
    await expect.poll(() => isRunning(pid)).toBe(false)
  },
)

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
