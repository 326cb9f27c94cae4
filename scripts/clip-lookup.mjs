#!/usr/bin/env node
/**
 * The program: `node scripts/clip-lookup.mjs <command>`, and the `bin` of the package. If Node is
 * too old, it runs itself with the Node that was installed beside it, so it uses only old syntax.
 * It is not TypeScript, because Node would strip the types of the first file before it has a cache.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Before anything else: without a listener, Node would open its debugger to every user of the
// machine, who could then read keys. `--disable-sigusr1` does the same, but a `bin` has no flags.
process.on('SIGUSR1', () => {})

const path = fileURLToPath(import.meta.url)
const ownNode = join(dirname(dirname(path)), 'node_modules', 'node', 'bin', 'node')
const isOld = Number(process.versions.node.split('.')[0]) < 26

if (isOld && existsSync(ownNode)) {
  const child = spawn(ownNode, [path, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code === null ? 1 : code))
} else if (isOld) {
  const remedy = 'Run "npm install" in the folder of the project, which installs Node 26.'
  process.stderr.write(`This is Node ${process.versions.node}, which is too old. ${remedy}\n`)
  process.exitCode = 1
} else {
  // Before anything else is loaded, so that the next start finds all modules compiled.
  module.enableCompileCache()
  // The reader of the output may stop early: `clip-lookup keys list | head -1`.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error) => {
      if (error.code === 'EPIPE') process.exit()
      throw error
    })
  const { runProgram } = await import('./program.ts')
  const { commands } = await import('./commands.ts')
  const { argv, env, stdin, stdout, stderr } = process
  process.exitCode = await runProgram(argv.slice(2), { env, stdin, stdout, stderr, commands })
}
