import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { englishVideoIds } from '../fixtures/small-corpus.ts'
import { createKey } from '../harness/command.ts'
import { freePort } from '../harness/free-port.ts'
import { send } from '../harness/http-client.ts'
import { isNginxHere, startNginx } from '../harness/nginx-server.ts'
import { redisProgram, startRedis, type RedisServer } from '../harness/redis-server.ts'
import {
  prepareServedFolder,
  startServe,
  type ServedFolder,
  type ServeProcess,
} from '../harness/serve-process.ts'
import { amplePlan } from '../harness/service.ts'

/**
 * Each balancer that is shipped, in front of two machines: a proxy, and a way to Redis that can be
 * cut. Clients ask 60 times a second and must not see anything but 200.
 */

const plans = [{ name: 'trial', perPeriod: 20, perMinute: 60 }, amplePlan]
const perSecond = 60
const deployFolder = join(import.meta.dirname, '../../scripts/deploy')

/** A way to a port that can be cut: what comes is then closed at once. */
async function startWay(to: number) {
  const sockets = new Set<Socket>()
  const way = { port: 0, isCut: false, cut }
  const server = createServer((near) => {
    if (way.isCut) return void near.destroy()
    const far = connect(to, '127.0.0.1')
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.pipe(other)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  })
  function cut(isCut: boolean) {
    way.isCut = isCut
    if (isCut) for (const socket of sockets) socket.destroy()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  way.port = (server.address() as AddressInfo).port
  return { way, close: () => (server.close(), cut(true)) }
}

interface Machine {
  port: number
  adminPort: number
  way: { port: number; cut(isCut: boolean): void }
  proxy: ServeProcess
}

let folder: ServedFolder
let redis: RedisServer
let key: string
const machines: Machine[] = []
const closing: (() => unknown)[] = []

const startOn = (machine: Omit<Machine, 'proxy'>) =>
  startServe({
    folder: {
      ...folder,
      settings: { CLIP_LOOKUP_TRUST_PROXY: '127.0.0.1', CLIP_LOOKUP_ADMIN_PORT: String(machine.adminPort) },
    },
    store: `redis://127.0.0.1:${machine.way.port}`,
    workers: 1,
    port: machine.port,
  })

const isPossible = redisProgram !== undefined
beforeAll(async () => {
  if (!isPossible) return
  folder = await prepareServedFolder(plans)
  redis = await startRedis()
  const options = ['--store', redis.url, '--plans', folder.plansFile, '--plan', amplePlan.name]
  key = await createKey(folder.path, options)
  for (let i = 0; i < 2; i++) {
    const { way, close } = await startWay(redis.port)
    closing.push(close)
    const machine = { port: await freePort(), adminPort: await freePort(), way }
    machines.push({ ...machine, proxy: await startOn(machine) })
  }
})
afterAll(async () => {
  for (const { proxy } of machines) await proxy.kill()
  for (const close of closing) close()
  await redis?.end()
  folder?.remove()
})

/** Clients that ask at a steady rate, until they are stopped; gives what was no 200. */
function startClients(origin: string) {
  const others: string[] = []
  const asked: Promise<unknown>[] = []
  const timer = setInterval(() => {
    const clip = englishVideoIds[asked.length % englishVideoIds.length]!
    const answered = send(origin, `/v1/clips/${clip}`, { key }).then(
      ({ status, text }) => void (status === 200 || others.push(`${status} ${text}`)),
      (error: Error) => void others.push(error.message),
    )
    asked.push(answered)
  }, 1000 / perSecond)
  return {
    others,
    async stop() {
      clearInterval(timer)
      await Promise.all(asked)
      return asked.length
    },
  }
}

async function untilReady({ adminPort }: Machine, isReady: boolean): Promise<void> {
  const status = () => fetch(`http://127.0.0.1:${adminPort}/readyz`).then((answer) => answer.status)
  await expect.poll(() => status().catch(() => 0)).toBe(isReady ? 200 : 503)
}

/** A configuration of `scripts/deploy` with the ports of this test. */
function configured(path: string, port: number): string {
  let text = readFileSync(join(deployFolder, path), 'utf8')
  const [one, two] = machines as [Machine, Machine]
  text = text.replaceAll('10.0.0.11:8080', `127.0.0.1:${one.port}`)
  text = text.replaceAll('10.0.0.12:8080', `127.0.0.1:${two.port}`)
  return text
    .replace('bind :80', `bind 127.0.0.1:${port}`)
    .replace('api.example.com {', `{\n\tadmin off\n}\nhttp://127.0.0.1:${port} {`)
}

async function startProgram(program: string, args: string[], port: number): Promise<string> {
  const child: ChildProcess = spawn(program, args, { stdio: 'ignore' })
  onTestFinished(async () => {
    if (child.exitCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  })
  const origin = `http://127.0.0.1:${port}`
  const answers = () => send(origin, '/v1/corpus').then(({ status }) => status)
  await expect.poll(() => answers().catch(() => 0)).toBe(200)
  return origin
}

/** `port` of the admin listeners differs between the machines here, as it need not elsewhere. */
const balancers: Record<string, { isHere: boolean; start(port: number): Promise<string> }> = {
  nginx: {
    isHere: isNginxHere,
    async start(port) {
      const nginx = await startNginx('balancer.conf', port, {
        '10.0.0.11:8080': `127.0.0.1:${machines[0]!.port}`,
        '10.0.0.12:8080': `127.0.0.1:${machines[1]!.port}`,
      })
      onTestFinished(() => nginx.end())
      return nginx.origin
    },
  },
  haproxy: {
    isHere: spawnSync('haproxy', ['-v']).status === 0,
    async start(port) {
      let text = configured('haproxy/haproxy.cfg', port).replace('check port 9090', 'check')
      for (const { port, adminPort } of machines)
        text = text.replace(`127.0.0.1:${port}\n`, `127.0.0.1:${port} port ${adminPort}\n`)
      const file = join(temporary(), 'haproxy.cfg')
      writeFileSync(file, text)
      return await startProgram('haproxy', ['-db', '-f', file], port)
    },
  },
  caddy: {
    isHere: spawnSync('caddy', ['version']).status === 0,
    async start(port) {
      const file = join(temporary(), 'Caddyfile')
      // Without the checks: they ask one port on all machines.
      const text = configured('caddy/Caddyfile', port).replace(/^\s*health_.*\n/gm, '')
      writeFileSync(file, text)
      return await startProgram('caddy', ['run', '--adapter', 'caddyfile', '--config', file], port)
    },
  },
}

function temporary(): string {
  const path = mkdtempSync(join(tmpdir(), 'clip-lookup-balancer-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

describe.each(Object.entries(balancers))('%s, as it is shipped', (name, { isHere, start }) => {
  test.skipIf(!isHere || !isPossible)(
    'loses no request while the machines restart one by one',
    async () => {
      const clients = startClients(await start(await freePort()))
      await sleep(500)
      for (const machine of machines) {
        process.kill(machine.proxy.pid, 'SIGTERM')
        await machine.proxy.ended()
        machine.proxy = await startOn(machine)
        await untilReady(machine, true)
      }
      await sleep(500)
      const asked = await clients.stop()
      expect(clients.others).toEqual([])
      expect(asked).toBeGreaterThan(perSecond)
    },
    60_000,
  )

  // Caddy does not ask another machine after a 503: its checks find the one that is not ready.
  test.skipIf(!isHere || !isPossible || name === 'caddy')(
    'loses no request when a machine has lost its Redis, and when it has it again',
    async () => {
      const clients = startClients(await start(await freePort()))
      await sleep(500)
      machines[1]!.way.cut(true)
      await untilReady(machines[1]!, false)
      await sleep(1_000)
      machines[1]!.way.cut(false)
      await untilReady(machines[1]!, true)
      await sleep(500)
      await clients.stop()
      expect(clients.others).toEqual([])
    },
    60_000,
  )
})
