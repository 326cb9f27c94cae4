import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { longTest } from '../harness/fault-rounds.ts'
import { run, start } from '../harness/command.ts'
import { sharedServedFolder } from '../harness/serve-process.ts'
import { amplePlan } from '../harness/service.ts'
import { newKey } from '../harness/store.ts'
import { listen } from '../harness/listen.ts'
import { rawRequest, sendRaw } from '../proxy/http/raw-request.ts'

const plans = [...defaultPlans, amplePlan]
const folder = sharedServedFolder(plans)
const token = 'a-token-that-nobody-guesses'

test('many simultaneous probes print neither the arguments nor a warning', async () => {
  const settings = { CLIP_LOOKUP_ADMIN_PORT: '0', CLIP_LOOKUP_ADMIN_TOKEN: token }
  const server = await folder.serve({ workers: 2, settings })
  for (const path of ['/readyz', '/metrics']) {
    const answers = await Promise.all(Array.from({ length: 40 }, () => fetch(`${server.admin}${path}`)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  }
  process.kill(server.pid, 'SIGTERM')
  expect(await server.ended()).toBe(0)
  const output = server.lines.join('\n')
  expect(output).not.toMatch(/Warning/)
  expect(output).not.toContain(token)
})

test('does not log a key that is sent as a method or a request id', async () => {
  const store = folder.freshStore()
  const key = await newKey(store, plans)
  const settings = { CLIP_LOOKUP_ACCESS_LOG: 'secrets.log', CLIP_LOOKUP_TRUST_PROXY: '127.0.0.1' }
  const server = await folder.serve({ store, workers: 1, settings })
  const requests = [
    rawRequest(`${key} /v1/words HTTP/1.1`, 'Host: x'),
    rawRequest(`${key.repeat(160)} /v1/words HTTP/1.1`, 'Host: x'),
    rawRequest(`GET /${key} HTTP/1.1`, 'Host: x', `X-Request-Id: ${key}`),
    rawRequest(`GET /v1/words?${key} HTTP/1.1`, 'Host: x', `${key}: ${key}`),
  ]
  for (const request of requests)
    expect((await sendRaw(server.origin, request))[0]!.status).toBeGreaterThan(399)
  process.kill(server.pid, 'SIGTERM')
  expect(await server.ended()).toBe(0)
  const logged = readFileSync(join(folder.path, 'secrets.log'), 'utf8')
  expect(logged.trimEnd().split('\n')).toHaveLength(requests.length)
  expect(logged).toContain('"method":null')
  expect(logged + server.lines.join('\n')).not.toContain(key)
})

const addresses = [
  's3://ann:pass/w0rd@bucket/tree',
  'https://ann:pass-w0rd@example.com/tree',
  'redis://ann:w0rd@127.0.0.1:1',
]
const uses = [
  ['publish', '--to'],
  ['serve', '--data'],
  ['serve', '--site'],
  ['serve', '--store'],
  ['doctor', '--json', '--data'],
  ['doctor', '--json', '--store'],
]
const calls = uses
  .flatMap((use) => addresses.map((address) => [...use, address]))
  // These start a service, which waits until Redis is available.
  .filter((call) => !(call[1] === '--store' && call[0] === 'serve' && call[2]!.startsWith('redis')))

test.each(calls.map((call) => [call.join(' '), call] as const))(
  '"%s" fails without repeating any part of the password',
  async (_, call) => {
    const { code, stdout, stderr } = await run(folder.path, call)
    expect(code).not.toBe(0)
    expect(stdout + stderr).not.toMatch(/w0rd/)
  },
)

longTest.each([1, 3])(
  'a service of %i workers that is stopped while it starts exits with 0 and prints no stack',
  async (workers) => {
    // A store that accepts connections and never answers, so that the start never completes.
    const silent = createServer(() => {})
    const store = `redis://127.0.0.1:${await listen(silent)}`
    const args = ['serve', '--data', 'dist', '--port', '0', '--workers', String(workers), '--store', store]
    const connected = new Promise((resolve) => silent.once('connection', resolve))
    const server = start(folder.path, args)
    await connected
    server.child.kill('SIGTERM')
    expect(await server.exit).toBe(0)
    expect(server.stderr()).toContain('SIGTERM: stopped before the service had started')
    expect(server.stderr()).not.toMatch(/^\s+at /m)
  },
)
