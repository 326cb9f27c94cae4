import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { expect } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { Clients } from '../harness/clients.ts'
import { runProcess } from '../harness/command.ts'
import { longTest } from '../harness/fault-rounds.ts'
import { freePort } from '../harness/free-port.ts'
import { sharedServedFolder } from '../harness/serve-process.ts'
import { amplePlan } from '../harness/service.ts'
import { newKey, unitsStored } from '../harness/store.ts'
import { listen } from '../harness/listen.ts'

const plans = [...defaultPlans, amplePlan]
const lookUp = '/v1/clips/cat-sitter'

const folder = sharedServedFolder(plans)

/**
 * Whether the kernel hands connections that a closed socket has not accepted to another socket on
 * its port (`net.ipv4.tcp_migrate_req`). Otherwise, it resets them.
 */
const migration = '/proc/sys/net/ipv4/tcp_migrate_req'
const isMigrating = existsSync(migration) && readFileSync(migration, 'utf8').trim() === '1'

/** Returns the message of a start that is refused. */
async function refusal(port: number, ...args: string[]): Promise<string> {
  const place = ['--store', folder.freshStore(), '--plans', folder.plansFile, '--port', String(port)]
  const command = ['serve', ...place, ...args, '--log-level', 'silent']
  const { code, stderr } = await runProcess(folder.path, command)
  expect(code).toBe(1)
  return stderr
}

function inUse(port: number): string {
  return `Cannot listen on 127.0.0.1:${port}: the port is in use. Choose another with --port.\n`
}

longTest.each([1, 2])(
  'replacing a service of %i workers under load refuses no connection and loses no response; a port is shared only on request',
  async (workers) => {
    const store = folder.freshStore()
    const key = await newKey(store, plans)
    const port = await freePort()
    const start = () => folder.serve({ store, workers, port, isPortShared: true })
    let serving = await start()
    const [steady, fresh] = [true, false].map(
      (keepAlive) =>
        new Clients({
          origins: [serving.origin],
          count: 6,
          keepAlive,
          isStubborn: true,
          pauseMs: 10,
          next: () => ({ path: lookUp, key }),
        }),
    ) as [Clients, Clients]
    for (let round = 0; round < 10; round++) {
      const before = serving
      serving = await start()
      await Promise.all([steady.more(100), fresh.more(100)])
      process.kill(before.pid, 'SIGTERM')
      expect(await before.ended()).toBe(0)
      await Promise.all([steady.more(100), fresh.more(100)])
    }
    await Promise.all([steady.stop(), fresh.stop()])
    const outcomes = [...steady.outcomes, ...fresh.outcomes]
    // A client whose kept connection was closed opens a new one, which may also be reset.
    const resets = outcomes.filter((outcome) => outcome === 'ECONNRESET').length
    expect(outcomes.filter((outcome) => outcome !== 200 && outcome !== 'ECONNRESET')).toEqual([])
    if (isMigrating) expect(resets).toBe(0)
    // No service accepted the connections that the kernel reset, so they were not counted.
    expect(await unitsStored(store, plans)).toBe(outcomes.length - resets)
    expect(await refusal(port, '--workers', String(workers))).toBe(inUse(port))
  },
)

longTest('refuses a port that a service or another program does not share', async () => {
  const otherPort = await listen(createServer())
  const alone = await folder.serve({ workers: 1 })
  for (const port of [otherPort, alone.port])
    expect(await refusal(port, '--reuse-port', '--workers', '2')).toBe(inUse(port))
  expect(await refusal(alone.port, '--reuse-port', '--workers', '1')).toBe(inUse(alone.port))
})

longTest('while one service replaces another, the admin port answers', async () => {
  const store = folder.freshStore()
  const [port, adminPort] = [await freePort(), await freePort()]
  const settings = { CLIP_LOOKUP_ADMIN_PORT: String(adminPort) }
  const next = () => folder.serve({ store, workers: 1, port, isPortShared: true, settings })
  const old = await next()
  await next()
  process.kill(old.pid, 'SIGTERM')
  await old.says(/SIGTERM: draining/)
  for (let i = 0; i < 20; i++)
    expect(
      (await fetch(`http://127.0.0.1:${adminPort}/readyz`, { headers: { connection: 'close' } })).status,
    ).toBe(200)
  expect(await old.ended()).toBe(0)
})
