#!/usr/bin/env node
/**
 * The `bin` of the package: runs the program with the Node that was installed beside it, whatever
 * the machine's own is. Keeps to old syntax for that reason.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const ownNode = join(root, 'node_modules', 'node', 'bin', 'node')
const node = existsSync(ownNode) ? ownNode : process.execPath
const child = spawn(node, [join(root, 'scripts', 'clip-lookup.ts'), ...process.argv.slice(2)], {
  stdio: 'inherit',
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code) => process.exit(code === null ? 1 : code))
