import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'

const versionOf = (node: string) => spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? ''

/** The program of Node 20, the oldest version that the client and the examples support. */
const node20 = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .find((node) => versionOf(node).startsWith('v20.'))

if (!node20)
  process.stderr.write(
    `no Node 20 on the PATH: JavaScript that supports it runs only on Node ${process.version}\n`,
  )

/** The version of Node that runs the project and, where it is installed, Node 20. */
export const nodes = node20 ? [process.execPath, node20] : [process.execPath]
