import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, statSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { amplePlan } from '../harness/service.ts'
import { englishVideoIds } from '../fixtures/small-corpus.ts'
import { send } from '../harness/http-client.ts'
import { prepareServedFolder, type ServedFolder } from '../harness/serve-process.ts'
import { createKey, runProcess, start } from '../harness/command.ts'

let folder: ServedFolder
let key: string
beforeAll(async () => {
  folder = await prepareServedFolder([{ name: 'trial', perPeriod: 20, perMinute: 60 }, amplePlan])
  key = await createKey(folder.path, ['--plan', amplePlan.name, '--plans', folder.plansFile])
})
afterAll(() => folder.remove())

interface Serving {
  origin: string
  admin: string
  child: { kill(signal: NodeJS.Signals): boolean }
  exit: Promise<number | null>
  says(pattern: RegExp): Promise<RegExpExecArray>
}

async function serving(workers: number, ...more: string[]): Promise<Serving> {
  const args = ['--port', '0', '--admin-port', '0', '--workers', String(workers), ...more]
  const server = start(folder.path, ['serve', '--plans', folder.plansFile, ...args], folder.settings)
  const [, admin] = await server.says(/^admin listener on (\S+)$/m)
  const [, origin] = await server.says(/^listening on (\S+)$/m)
  return { ...server, origin: origin!, admin: admin! }
}

/** The value of one metric; undefined where it is not there. */
function valueOf(metrics: string, series: string): number | undefined {
  const line = metrics.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

const clip = `/v1/clips/${englishVideoIds[0]}`

describe('the admin listener of two workers', () => {
  test('counts requests over both and tells that they are ready; labels hold no key, account or clip', async () => {
    const { origin, admin } = await serving(2)
    for (let i = 0; i < 6; i++) await send(origin, '/v1/words', { key })
    await send(origin, '/v1/words')
    await send(origin, '/v1/sentences?q=cat', { key })
    await send(origin, clip, { key })
    await send(origin, '/v1/nothing')
    const read = async () => await (await fetch(`${admin}/metrics`)).text()
    const served = 'clip_lookup_requests_total{operation="listWords",status="200"}'
    await expect.poll(async () => valueOf(await read(), served)).toBe(6)
    const metrics = await read()
    expect(valueOf(metrics, 'clip_lookup_requests_total{operation="listWords",status="401"}')).toBe(1)
    expect(valueOf(metrics, 'clip_lookup_requests_total{operation="none",status="404"}')).toBe(1)
    expect(valueOf(metrics, 'clip_lookup_rejected_total{reason="invalid_key"}')).toBe(1)
    // What has not happened yet is 0, so that an alert sees the first time.
    expect(valueOf(metrics, 'clip_lookup_rejected_total{reason="internal"}')).toBe(0)
    expect(valueOf(metrics, 'clip_lookup_requests_total{operation="getFeed",status="503"}')).toBe(0)
    const readAtS = valueOf(metrics, 'clip_lookup_pointer_read_timestamp_seconds')!
    expect(Math.abs(Date.now() / 1000 - readAtS)).toBeLessThan(60)
    const builtAtS = statSync(join(folder.path, 'dist/current.json')).mtimeMs / 1000
    expect(valueOf(metrics, 'clip_lookup_pointer_modified_timestamp_seconds')).toBeCloseTo(builtAtS)
    expect(valueOf(metrics, 'process_start_time_seconds')).toBeGreaterThan(0)
    expect(valueOf(metrics, 'clip_lookup_ready')).toBe(1)
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: metrics })
    if (status !== null) expect(status, `${stdout}${stderr}`).toBe(0)
    expect(valueOf(metrics, 'clip_lookup_request_duration_seconds_count{operation="listWords"}')).toBe(7)
    expect(valueOf(metrics, 'clip_lookup_store_duration_seconds_count{call="consume"}')).toBeGreaterThan(6)
    expect(valueOf(metrics, 'clip_lookup_release_age_seconds')).toBeGreaterThan(0)
    expect(metrics).toMatch(/^clip_lookup_release_info\{release="\d{6}-[0-9a-f]{8}"\} 1$/m)
    expect(metrics).toMatch(/^clip_lookup_cache_misses_total\{cache="files"\} \d+$/m)
    const cached = (what: string) => valueOf(metrics, `clip_lookup_cache_${what}_total{cache="answers"}`)!
    expect(cached('hits') + cached('misses')).toBe(8)
    expect(metrics).toMatch(/^nodejs_eventloop_lag_p99_seconds \S+$/m)
    expect(metrics).toMatch(/^process_resident_memory_bytes \d+$/m)
    for (const secret of [key, 'ann', englishVideoIds[0]!, 'key_']) expect(metrics).not.toContain(secret)
    expect((await fetch(`${admin}/livez`)).status).toBe(200)
    const ready = await fetch(`${admin}/readyz`)
    expect(ready.status).toBe(200)
    const { processes } = (await ready.json()) as { processes: object[] }
    expect(processes).toHaveLength(2)
    const expected = { isReady: true, release: expect.stringMatching(/^\d{6}-/), store: 'ok', origin: 'ok' }
    for (const each of processes) expect(each).toMatchObject(expected)
    expect((await fetch(`${admin}/elsewhere`)).status).toBe(404)
    expect((await fetch(`${admin}/readyz`, { method: 'POST' })).status).toBe(405)
  })
})

test('a total does not fall when the worker that counted is killed', async () => {
  const { origin, admin, says } = await serving(2)
  const count = async () => {
    const metrics = await (await fetch(`${admin}/metrics`)).text()
    return valueOf(metrics, 'clip_lookup_requests_total{operation="listWords",status="200"}')!
  }
  const ask = async () => {
    for (let i = 0; i < 8; i++) await send(origin, '/v1/words', { key, agent: new Agent() })
  }
  await ask()
  await expect.poll(count).toBe(8)
  for (const round of [1, 2]) {
    const [, pid] = await says(new RegExp(`(?:"pid":(\\d+),[^\n]*is in service[^]*){${round}}`))
    process.kill(Number(pid), 'SIGKILL')
    await says(new RegExp(`worker ${pid} ended by`))
    expect(await count()).toBe(8)
  }
  // Nobody listens until a new worker has begun.
  await vi.waitFor(() => send(origin, '/v1/corpus'), { timeout: 30_000, interval: 100 })
  await ask()
  // A worker that begins takes some seconds to answer.
  await expect.poll(count).toBe(16)
})

test('readyz is 503 and says why while nothing is published', async () => {
  const { admin } = await serving(1, '--data', 'source')
  const answer = await fetch(`${admin}/readyz`)
  expect(answer.status).toBe(503)
  expect(await answer.text()).toMatch(/no release is published in/)
  const metrics = await (await fetch(`${admin}/metrics`)).text()
  expect(valueOf(metrics, 'clip_lookup_ready')).toBe(0)
})

test('readyz is 503 while the service drains', async () => {
  const { origin, admin, child, exit, says } = await serving(1)
  const { hostname, port } = new URL(origin)
  const socket = (await import('node:net')).connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  // The half of a request holds the drain up.
  socket.write(`GET /v1/corpus HTTP/1.1\r\nHost: x\r\n\r\nGET /v1/corpus HTTP/1.1\r\n`)
  await new Promise((resolve) => socket.once('data', resolve))
  child.kill('SIGTERM')
  await says(/SIGTERM: draining/)
  const answer = await fetch(`${admin}/readyz`)
  expect([answer.status, await answer.json()]).toMatchObject([503, { processes: [{ isDraining: true }] }])
  socket.destroy()
  expect(await exit).toBe(0)
})

describe('the access log', () => {
  const linesOf = (file: string) =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as Record<string, unknown>)
      : []

  test('has a line for every request of every worker, with the id that the answer shows', async () => {
    const file = join(folder.path, 'access.log')
    const { origin, child, exit } = await serving(
      2,
      '--access-log',
      'access.log',
      '--trust-proxy',
      '127.0.0.1',
    )
    const headers = { 'x-request-id': 'balancer-1', 'x-forwarded-for': '192.0.2.7' }
    const first = await send(origin, clip, { key, headers })
    expect(first.headers['x-request-id']).toBe('balancer-1')
    const second = await send(origin, '/v1/clips/nobody', { key })
    const third = await send(origin, '/v1/usage')
    child.kill('SIGTERM')
    expect(await exit).toBe(0)
    const lines = linesOf(file)
    expect(lines).toHaveLength(3)
    const common = {
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      durationMs: expect.any(Number),
      method: 'GET',
    }
    const byId = (id: unknown) => lines.find(({ requestId }) => requestId === id)
    expect(byId('balancer-1')).toEqual({
      ...common,
      requestId: 'balancer-1',
      operation: 'getClip',
      status: 200,
      code: null,
      bytes: first.raw.length,
      account: 'ann',
      keyId: expect.stringMatching(/^key_/),
      client: '192.0.2.7',
    })
    expect(byId(second.headers['x-request-id'])).toMatchObject({
      ...common,
      status: 404,
      code: 'not_found',
      account: 'ann',
    })
    expect(byId(third.headers['x-request-id'])).toMatchObject({ ...common, status: 401, account: null })
    expect(readFileSync(file, 'utf8')).not.toContain(key)
  })

  test('goes to standard output as -, and nothing else does', async () => {
    const args = ['serve', '--port', '0', '--workers', '1', '--plans', folder.plansFile, '--access-log', '-']
    const server = start(folder.path, args, folder.settings)
    let stdout = ''
    server.child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
    const [, origin] = await server.says(/^listening on (\S+)$/m)
    await send(origin!, '/v1/corpus')
    server.child.kill('SIGTERM')
    await server.exit
    expect(JSON.parse(stdout)).toMatchObject({ operation: 'getCorpus', status: 200 })
  })

  test('goes on in a new file after SIGHUP, once the old one was moved away', async () => {
    const file = join(folder.path, 'moved.log')
    const { origin, child, exit, says } = await serving(1, '--access-log', 'moved.log')
    await send(origin, '/v1/corpus')
    renameSync(file, `${file}.1`)
    child.kill('SIGHUP')
    await says(/stays in service/)
    await send(origin, '/v1/openapi.json')
    child.kill('SIGTERM')
    await exit
    expect(linesOf(`${file}.1`)).toMatchObject([{ operation: 'getCorpus' }])
    expect(linesOf(file)).toMatchObject([{ operation: 'getOpenApi' }])
  })

  test('that cannot be written ends the start with a line that names it', async () => {
    const args = ['serve', '--port', '0', '--plans', folder.plansFile, '--access-log', 'none/access.log']
    const { code, stderr } = await runProcess(folder.path, args)
    expect(code).toBe(1)
    expect(stderr).toMatch(/cannot open the access log: .*none\/access\.log/)
  })
})
