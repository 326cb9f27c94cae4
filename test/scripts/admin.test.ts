import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, renameSync, statSync } from 'node:fs'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { englishVideoIds } from '../fixtures/small-corpus.ts'
import { failure, run, start } from '../harness/command.ts'
import { fieldsOfValue } from '../harness/fields.ts'
import { send } from '../harness/http-client.ts'
import { sharedServedFolder, type ServeProcess } from '../harness/serve-process.ts'
import { amplePlan } from '../harness/service.ts'
import { newKey } from '../harness/store.ts'

const plans = [{ name: 'trial', perPeriod: 20, perMinute: 60 }, amplePlan]
const folder = sharedServedFolder(plans)
let store: string
let key: string
beforeAll(async () => {
  store = folder.freshStore()
  key = await newKey(store, plans)
})

const monitoringPage = fileURLToPath(
  new URL('../../src/site/content/docs/operate/monitoring.mdx', import.meta.url),
)
/** The examples in the docs: a response of `/readyz`, and a line of the access log. */
const [readyExample, lineExample] = [
  ...readFileSync(monitoringPage, 'utf8').matchAll(/```json\n(.*?)```/gs),
].map(([, json]) => JSON.parse(json!) as object)

function linesOf(file: string): Record<string, unknown>[] {
  const lines = readFileSync(join(folder.path, file), 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}

/** Returns the value of one metric; undefined if there is none. */
function valueOf(metrics: string, series: string): number | undefined {
  const line = metrics.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

const clip = `/v1/clips/${englishVideoIds[0]}`

// The tests run in this order, because each of them continues with the counts of the one before.
describe('two workers', { shuffle: false }, () => {
  let server: ServeProcess
  beforeAll(async () => {
    const log = { CLIP_LOOKUP_ACCESS_LOG: 'access.log', CLIP_LOOKUP_TRUST_PROXY: '127.0.0.1' }
    server = await folder.start({ store, workers: 2, settings: { CLIP_LOOKUP_ADMIN_PORT: '0', ...log } })
  })
  afterAll(() => server?.kill())

  test('count requests together and say that they are ready, without keys, accounts or clips in labels', async () => {
    const { origin, admin } = server
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
    // Events that have not happened yet are 0, so that an alert sees the first one.
    expect(valueOf(metrics, 'clip_lookup_rejected_total{reason="internal"}')).toBe(0)
    expect(valueOf(metrics, 'clip_lookup_requests_total{operation="getFeed",status="503"}')).toBe(0)
    const readAtS = valueOf(metrics, 'clip_lookup_pointer_read_timestamp_seconds')!
    expect(Math.abs(Date.now() / 1000 - readAtS)).toBeLessThan(60)
    const builtAtS = statSync(join(folder.path, 'dist/current.json')).mtimeMs / 1000
    expect(valueOf(metrics, 'clip_lookup_pointer_modified_timestamp_seconds')).toBeCloseTo(builtAtS)
    expect(valueOf(metrics, 'process_start_time_seconds')).toBeGreaterThan(0)
    expect(valueOf(metrics, 'clip_lookup_ready')).toBe(1)
    expect(valueOf(metrics, 'clip_lookup_origin_readable')).toBe(1)
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
    const readyBody = (await ready.json()) as { processes: object[] }
    const { processes } = readyBody
    expect(processes).toHaveLength(2)
    expect(new Set(fieldsOfValue(readyBody))).toEqual(new Set(fieldsOfValue(readyExample)))
    const expected = { isReady: true, release: expect.stringMatching(/^\d{6}-/), store: 'ok', origin: 'ok' }
    for (const each of processes) expect(each).toMatchObject(expected)
    expect((await fetch(`${admin}/elsewhere`)).status).toBe(404)
    expect((await fetch(`${admin}/readyz`, { method: 'POST' })).status).toBe(405)
  })

  test('log a line for each request of every worker, with the id that the response contains', async () => {
    const { origin } = server
    const headers = { 'x-request-id': 'balancer-1', 'x-forwarded-for': '192.0.2.7' }
    const first = await send(origin, clip, { key, headers })
    expect(first.headers['x-request-id']).toBe('balancer-1')
    const second = await send(origin, '/v1/clips/nobody', { key })
    const third = await send(origin, '/v1/usage')
    // The earlier requests and these.
    await expect.poll(() => linesOf('access.log').length).toBe(13)
    const lines = linesOf('access.log')
    const time = expect.stringMatching(/^\d{4}-.*Z$/)
    const common = { time, durationMs: expect.any(Number), method: 'GET' }
    const byId = (id: unknown) => lines.find(({ requestId }) => requestId === id)
    const asked = { requestId: 'balancer-1', operation: 'getClip', account: 'ann', client: '192.0.2.7' }
    const answered = { status: 200, code: null, bytes: first.raw.length }
    const expected = { ...common, ...asked, ...answered, keyId: expect.stringMatching(/^key_/) }
    expect(byId('balancer-1')).toEqual(expected)
    expect(Object.keys(byId('balancer-1')!)).toEqual(Object.keys(lineExample!))
    const notFound = { ...common, status: 404, code: 'not_found', account: 'ann' }
    expect(byId(second.headers['x-request-id'])).toMatchObject(notFound)
    expect(byId(third.headers['x-request-id'])).toMatchObject({ ...common, status: 401, account: null })
    expect(readFileSync(join(folder.path, 'access.log'), 'utf8')).not.toContain(key)
  })

  test('keep a total when the worker that counted is killed', async () => {
    const { origin, admin } = server
    const count = async () => {
      const metrics = await (await fetch(`${admin}/metrics`)).text()
      return valueOf(metrics, 'clip_lookup_requests_total{operation="listWords",status="200"}')!
    }
    const ask = async () => {
      for (let i = 0; i < 8; i++) await send(origin, '/v1/words', { key, agent: new Agent() })
    }
    const before = await count()
    await ask()
    await expect.poll(count).toBe(before + 8)
    const pids = server.workerPids()
    for (const pid of pids) {
      process.kill(pid, 'SIGKILL')
      await server.says(new RegExp(`worker ${pid} ended \\(`))
      expect(await count()).toBe(before + 8)
    }
    // Nobody listens until a new worker has started.
    await vi.waitFor(() => send(origin, '/v1/corpus'), { timeout: 30_000, interval: 100 })
    await ask()
    // A new worker takes some seconds to answer.
    await expect.poll(count).toBe(before + 16)
    const metrics = await (await fetch(`${admin}/metrics`)).text()
    expect(valueOf(metrics, 'clip_lookup_worker_restarts_total')).toBe(pids.length)
  })
})

test('answer readyz with 503 and the reason while nothing is published; with -, the access log goes to standard output, and nothing else does', async () => {
  const args = ['serve', '--port', '0', '--admin-port', '0', '--workers', '1', '--plans', folder.plansFile]
  const server = start(folder.path, [...args, '--data', 'source', '--access-log', '-'])
  const [, admin] = await server.says(/^admin listener on (\S+)$/m)
  const [, origin] = await server.says(/^listening on (\S+)$/m)
  const answer = await fetch(`${admin}/readyz`)
  expect(answer.status).toBe(503)
  expect(await answer.text()).toMatch(/there is no published release in/)
  const metrics = await (await fetch(`${admin}/metrics`)).text()
  expect(valueOf(metrics, 'clip_lookup_ready')).toBe(0)
  await send(origin!, '/v1/corpus')
  server.child.kill('SIGTERM')
  await server.exit
  expect(JSON.parse(server.stdout())).toMatchObject({ operation: 'getCorpus', status: 503 })
})

test('continue the access log in a new file after SIGHUP, once the old one was moved; readyz is 503 while the service drains', async () => {
  const settings = { CLIP_LOOKUP_ADMIN_PORT: '0', CLIP_LOOKUP_ACCESS_LOG: 'moved.log' }
  const server = await folder.serve({ store, workers: 1, settings })
  await send(server.origin, '/v1/corpus')
  renameSync(join(folder.path, 'moved.log'), join(folder.path, 'moved.log.1'))
  process.kill(server.pid, 'SIGHUP')
  await server.says(/stays in service/)
  const socket = connect(server.port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  // Half a request delays the drain.
  socket.write(`GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\nGET /v1/corpus HTTP/1.1\r\n`)
  await once(socket, 'data')
  process.kill(server.pid, 'SIGTERM')
  await server.says(/SIGTERM: draining/)
  const answer = await fetch(`${server.admin}/readyz`)
  expect([answer.status, await answer.json()]).toMatchObject([503, { processes: [{ isDraining: true }] }])
  socket.destroy()
  expect(await server.ended()).toBe(0)
  expect(linesOf('moved.log.1')).toMatchObject([{ operation: 'getCorpus' }])
  expect(linesOf('moved.log')[0]).toMatchObject({ operation: 'getOpenApi' })
})

test('do not start if the access log cannot be written, and name it', async () => {
  const args = ['serve', '--port', '0', '--workers', '1', '--access-log', 'none/access.log']
  expect(await run(folder.path, args)).toEqual(
    failure(1, /Cannot open the access log: cannot open ".*none\/access\.log": there is no such file/),
  )
})
