import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../harness/free-port.ts'
import { listen } from '../harness/listen.ts'
import { isNginxHere, startNginx } from '../harness/nginx-server.ts'
import { tempFolder } from '../harness/temp-folder.ts'

/*
 * These tests run the balancers with their configurations in `scripts/deploy`, in which only
 * addresses and ports are replaced. The machines are servers that answer every request at once.
 */

const deployFolder = join(import.meta.dirname, '../../scripts/deploy')
const isHere = (program: string, option: string) => spawnSync(program, [option]).status === 0

/** Starts a machine that answers with this status, and returns its port. */
async function startMachine(status = 200, onRequest: (request: IncomingMessage) => void = () => {}) {
  const server = createServer((request, response) => {
    onRequest(request)
    response.writeHead(status).end('from the machine')
  })
  return await listen(server)
}

/** Starts a balancer with a configuration, and returns its address once it accepts connections. */
async function startBalancer(command: string[], port: number, configuration: string): Promise<string> {
  const file = join(tempFolder(), 'configuration')
  writeFileSync(file, configuration)
  const child = spawn(command[0]!, [...command.slice(1), file], { stdio: 'ignore' })
  onTestFinished(async () => {
    const exit = once(child, 'exit')
    if (child.kill('SIGKILL')) await exit
  })
  const origin = `http://127.0.0.1:${port}`
  await expect.poll(() => fetch(origin).then(Boolean, () => false), { timeout: 10_000 }).toBe(true)
  return origin
}

test.skipIf(!isNginxHere)('nginx answers as long as one of many machines is up', async () => {
  const servers = [await freePort(), await freePort(), await freePort(), await startMachine()]
  const lines = servers.map((port) => `server 127.0.0.1:${port} max_fails=0;`)
  const nginx = await startNginx('balancer.conf', await freePort(), {
    'server 10.0.0.11:8080 max_fails=0;': lines.join('\n'),
    'server 10.0.0.12:8080 max_fails=0;': '',
  })
  onTestFinished(() => nginx.end())
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async () => (await fetch(nginx.origin)).status),
  )
  expect(statuses).toEqual(statuses.map(() => 200))
})

/**
 * Starts HAProxy with two machines, and returns its address. Its checks of the machines get this
 * status. They run every second or, if the status is 200, only at the start.
 */
async function startHaproxy(
  checkStatus: number,
  machinePorts: [number, number],
  moreMachines: string,
  moreSections: string,
): Promise<string> {
  const port = await freePort()
  const text = readFileSync(join(deployFolder, 'haproxy/haproxy.cfg'), 'utf8')
    .replace('bind :80', `bind 127.0.0.1:${port}`)
    .replace('inter 1s', checkStatus === 200 ? 'inter 1h' : 'inter 1s')
    .replace('check port 9090', `check port ${await startMachine(checkStatus)}`)
    .replaceAll('10.0.0.11:8080', `127.0.0.1:${machinePorts[0]}`)
    .replaceAll('10.0.0.12:8080', `127.0.0.1:${machinePorts[1]}`)
    .replace('    server two ', `${moreMachines}$&`)
  return await startBalancer(['haproxy', '-db', '-f'], port, text + moreSections)
}

describe.skipIf(!isHere('haproxy', '-v'))('HAProxy', () => {
  test('forwards requests to machines that are not ready if no machine is ready', async () => {
    const statisticsPort = await freePort()
    const statistics = `\nlisten statistics\n    bind 127.0.0.1:${statisticsPort}\n    stats enable\n    stats uri /\n`
    const origin = await startHaproxy(503, [await startMachine(), await startMachine()], '', statistics)
    const unreadyCount = async () => {
      const rows = await (await fetch(`http://127.0.0.1:${statisticsPort}/;csv`)).text()
      return rows.match(/^proxies,(one|two),.*\bDOWN\b/gm)?.length
    }
    await expect.poll(unreadyCount, { timeout: 10_000 }).toBe(2)
    const response = await fetch(origin)
    expect([response.status, await response.text()]).toEqual([200, 'from the machine'])
  })

  test('answers while two of three machines are down and no check has found that yet', async () => {
    const third = `    server three 127.0.0.1:${await freePort()}\n`
    const origin = await startHaproxy(200, [await freePort(), await startMachine()], third, '')
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await fetch(origin)).status))
    expect(statuses).toEqual(statuses.map(() => 200))
  })
})

test.skipIf(!isHere('caddy', 'version'))('Caddy replaces the request id of a client', async () => {
  const requestIds: unknown[] = []
  const port = await freePort()
  const machinePort = await startMachine(200, ({ headers }) => requestIds.push(headers['x-request-id']))
  const text = readFileSync(join(deployFolder, 'caddy/Caddyfile'), 'utf8')
    .replace('api.example.com {', `{\n\tadmin off\n}\nhttp://127.0.0.1:${port} {`)
    .replace('10.0.0.11:8080 10.0.0.12:8080', `127.0.0.1:${machinePort}`)
    .replace(/^\s*health_.*\n/gm, '')
  const origin = await startBalancer(['caddy', 'run', '--adapter', 'caddyfile', '--config'], port, text)
  requestIds.length = 0
  await fetch(origin, { headers: { 'X-Request-Id': 'from-the-client' } })
  expect(requestIds).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)])
})
