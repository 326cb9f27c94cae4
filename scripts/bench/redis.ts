/**
 * `npm run bench:redis`: what counters in Redis cost. CPU time of a request of the proxy with
 * SQLite and with Redis (see `compareCpu`), and per request of the latter: the CPU time of Redis,
 * its scripts, and how many requests share a round trip. Needs redis-server, which it starts as the
 * guide to several machines does: with an append-only file that is synced before each answer.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { createClient } from 'redis'
import { compareCpu, keyedRow } from './compare-cpu.ts'
import { pathOf, print, runBench, runScript } from './run.ts'
import { startService } from './service.ts'

const path = '/v1/clips/en-our-street'

await runBench(async (folder) => {
  const tree = `${folder}/tree-sample`
  runScript('build-tree.ts', pathOf('../../src/sample-corpus'), tree)
  const port = await freePort()
  const durable = ['--appendonly', 'yes', '--appendfsync', 'always']
  const redis = spawn('redis-server', ['--port', `${port}`, '--dir', folder, ...durable], { stdio: 'ignore' })
  const ended = once(redis, 'exit').then(
    ([code]) => Error(`redis-server ended with exit code ${code}`),
    (cause: Error) => Error('cannot start redis-server, which this bench needs', { cause }),
  )
  const url = `redis://127.0.0.1:${port}`
  const client = createClient({ url, socket: { reconnectStrategy: 100 } })
  client.on('error', () => {})
  try {
    const fault = await Promise.race([client.connect(), ended])
    if (fault instanceof Error) throw fault
    const sqlite = await startService(folder, tree)
    const service = await startService(folder, tree, [], undefined, url)
    let counted = 0
    const spent = async () => {
      const info = await client.info('all')
      const read = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)![1])
      return {
        cpuS: read('used_cpu_user') + read('used_cpu_sys'),
        scripts: Number(/^cmdstat_evalsha:calls=(\d+)/m.exec(info)?.[1] ?? 0),
        reads: read('total_reads_processed'),
      }
    }
    const before = await spent()
    const base = keyedRow('SQLite', sqlite, path)
    await compareCpu([keyedRow('Redis', service, () => (counted++, path), base)], 2_000)
    const after = await spent()
    const each = (name: keyof typeof after) => (after[name] - before[name]) / counted
    print(
      `of each request in Redis: ${(each('cpuS') * 1e6).toFixed(1)} µs, ${each('scripts').toFixed(2)} scripts, ${each('reads').toFixed(3)} round trips: ${(1 / each('reads')).toFixed(1)} requests share one`,
    )
  } finally {
    client.destroy()
    redis.kill()
    await ended
  }
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
