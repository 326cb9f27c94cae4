import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempFolder } from '../harness/temp-folder.ts'

/** Starts a worker, kills it, and sends it messages before it can know that it has ended. */
const program = `
import cluster from 'node:cluster'
import { Workers } from ${JSON.stringify(new URL('../../src/proxy/workers.ts', import.meta.url))}
if (cluster.isWorker) {
  process.on('message', () => {})
  process.send({ listening: { address: '127.0.0.1', family: 'IPv4', port: 80 } })
} else {
  const workers = await Workers.start(1, { error() {} })
  const [{ process: worker }] = Object.values(cluster.workers)
  worker.kill('SIGKILL')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
  await workers.reload()
  console.log(JSON.stringify((await workers.status()).processes))
  await workers.stop()
}
`

test('the primary survives a message to a worker that has just been killed', () => {
  const file = join(tempFolder(), 'primary.mjs')
  writeFileSync(file, program)
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' })
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '[null]\n', stderr: '' })
})
