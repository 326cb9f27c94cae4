import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempFolder } from '../harness/temp-folder.ts'

/** Runs a program that is the primary and its workers, which only claim to listen. */
function runPrimary(work: string) {
  const file = join(tempFolder(), 'primary.mjs')
  const module = new URL('../../src/proxy/workers.ts', import.meta.url)
  const program = `
    import cluster from 'node:cluster'
    import { once } from 'node:events'
    import { Workers } from ${JSON.stringify(module)}
    if (cluster.isWorker) {
      process.on('message', () => {})
      process.send({ listening: { address: '127.0.0.1', family: 'IPv4', port: 80 } })
    } else {
      ${work}
      await workers.stop()
    }`
  writeFileSync(file, program)
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

test('the primary survives a message to a worker that has just been killed', () => {
  const outcome = runPrimary(`
    const workers = await Workers.start(1, { error() {} })
    const [{ process: worker }] = Object.values(cluster.workers)
    worker.kill('SIGKILL')
    // It cannot know yet that the worker has ended.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
    await workers.reload()
    console.log(JSON.stringify((await workers.status()).processes))`)
  expect(outcome).toEqual({ status: 0, stdout: '[null]\n', stderr: '' })
})

test('the primary survives a system that cannot start a process, and tries again', () => {
  const outcome = runPrimary(`
    const { execPath } = process
    const error = (message) => {
      if (!message.includes('could not be started')) return
      process.execPath = execPath
      console.log(message)
    }
    const workers = await Workers.start(1, { error })
    process.execPath = '/nowhere'
    Object.values(cluster.workers)[0].process.kill('SIGKILL')
    await once(cluster, 'online')`)
  const stdout = 'worker could not be started (spawn /nowhere ENOENT): replacing it in 0.25 s\n'
  expect(outcome).toEqual({ status: 0, stdout, stderr: '' })
})
