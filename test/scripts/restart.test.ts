import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { systemClock } from '#kit/clock.ts'
import { createKey } from '#metering/administer.ts'
import { openStore } from '#metering/open-store.ts'
import { runProcess } from '../harness/command.ts'
import { faultRounds } from '../harness/fault-rounds.ts'
import { freePort } from '../harness/free-port.ts'
import { send } from '../harness/http-client.ts'
import { sharedServedFolder, startServe } from '../harness/serve-process.ts'
import { amplePlan } from '../harness/service.ts'

const plans = [...defaultPlans, amplePlan]
const lookUp = '/v1/clips/cat-sitter'

const folder = sharedServedFolder(plans)

/**
 * Whether the kernel hands connections that a closed socket has not accepted to another socket on
 * its port (`net.ipv4.tcp_migrate_req`). Where it does not, it resets them.
 */
const migration = '/proc/sys/net/ipv4/tcp_migrate_req'
const isMigrating = existsSync(migration) && readFileSync(migration, 'utf8').trim() === '1'

/** Clients that send one request after another, on one connection each or on new ones. */
class Clients {
  readonly outcomes: string[] = []
  readonly #stopped: Promise<unknown>
  #isOver = false

  constructor(origin: string, key: string, count: number, keepAlive: boolean) {
    const client = async () => {
      const agent = new Agent({ keepAlive, maxSockets: 1 })
      while (!this.#isOver) {
        const outcome = await send(origin, lookUp, { key, agent }).then(
          ({ status }) => String(status),
          (error: NodeJS.ErrnoException) => error.code ?? error.message,
        )
        this.outcomes.push(outcome)
      }
      agent.destroy()
    }
    this.#stopped = Promise.all(Array.from({ length: count }, client))
  }

  async more(count: number): Promise<void> {
    const from = this.outcomes.length
    await expect.poll(() => this.outcomes.length - from, { timeout: 60_000 }).toBeGreaterThan(count)
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#stopped
  }
}

describe.each([1, 2])('a service of %i workers that is replaced under load', (workers) => {
  test('refuses no connection and loses no answer', async () => {
    const store = folder.freshStore()
    const metered = await openStore(store, { plans, clock: systemClock, mayCreate: true })
    onTestFinished(() => metered.close())
    const context = { store: metered, plans, clock: systemClock, random: randomBytes }
    const { key } = await createKey(context, { account: 'ann', plan: amplePlan.name })
    const port = await freePort()
    const next = () => startServe({ folder, store, workers, port, isPortShared: true })
    let serving = await next()
    onTestFinished(() => serving.kill())
    const steady = new Clients(serving.origin, key, 6, true)
    const fresh = new Clients(serving.origin, key, 6, false)
    for (let round = 0; round < faultRounds(10); round++) {
      const before = serving
      serving = await next()
      await Promise.all([steady.more(100), fresh.more(100)])
      process.kill(before.pid, 'SIGTERM')
      expect(await before.ended()).toBe(0)
      await Promise.all([steady.more(100), fresh.more(100)])
    }
    await Promise.all([steady.stop(), fresh.stop()])
    const outcomes = [...steady.outcomes, ...fresh.outcomes]
    // A client whose kept connection was closed opens a new one, which may be reset, too.
    const resets = outcomes.filter((outcome) => outcome === 'ECONNRESET').length
    expect(outcomes.filter((outcome) => outcome !== '200' && outcome !== 'ECONNRESET')).toEqual([])
    if (isMigrating) expect(resets).toBe(0)
    // What the kernel reset no service had accepted, so it was not counted.
    const { requests } = (await metered.directory.quota('ann'))!
    expect(requests).toBe(outcomes.length - resets)
  })
})

describe('a port that is taken is refused', () => {
  const taken = async (args: string[]) => {
    const place = ['--store', folder.freshStore(), '--plans', folder.plansFile]
    const { code, stderr } = await runProcess(
      folder.path,
      ['serve', ...place, ...args, '--log-level', 'silent'],
      folder.settings,
    )
    expect(code).toBe(1)
    return stderr
  }
  const told = (port: number, option = 'port') =>
    `cannot listen on 127.0.0.1:${port}: the port is in use; choose another with --${option}\n`

  test('by another program, even where it would be shared', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const args = ['--port', String(port), '--workers', '2']
    expect(await taken([...args, '--reuse-port'])).toBe(told(port))
  })

  test.each([1, 2])('by a service of ours, unless both are to share it: %i workers', async (workers) => {
    const sharing = await startServe({ folder, store: folder.freshStore(), workers, isPortShared: true })
    onTestFinished(() => sharing.kill())
    const args = ['--workers', String(workers), '--port']
    expect(await taken([...args, String(sharing.port)])).toBe(told(sharing.port))
    const alone = await startServe({ folder, store: folder.freshStore(), workers: 1 })
    onTestFinished(() => alone.kill())
    expect(await taken([...args, String(alone.port), '--reuse-port'])).toBe(told(alone.port))
  })
})

test('while one service replaces another, the admin port is answered, and by the new one once the old one drains', async () => {
  const store = folder.freshStore()
  const [port, adminPort] = [await freePort(), await freePort()]
  const settings = { ...folder.settings, CLIP_LOOKUP_ADMIN_PORT: String(adminPort) }
  const next = () =>
    startServe({ folder: { ...folder, settings }, store, workers: 1, port, isPortShared: true })
  const [old, replacement] = [await next(), await next()]
  onTestFinished(async () => {
    await old.kill()
    await replacement.kill()
  })
  process.kill(old.pid, 'SIGTERM')
  await old.says(/SIGTERM: draining/)
  for (let i = 0; i < 20; i++)
    expect(
      (await fetch(`http://127.0.0.1:${adminPort}/readyz`, { headers: { connection: 'close' } })).status,
    ).toBe(200)
  expect(await old.ended()).toBe(0)
})
