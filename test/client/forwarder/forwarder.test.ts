import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
// @ts-expect-error -- Express has no types of its own
import untypedExpress from 'express'
import { Hono } from 'hono'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { ClipLookup } from '#client/clip-lookup.ts'
import { createForwarder, type ForwarderOptions } from '#client/forwarder/forwarder.ts'
import { expressHandler, honoHandler, nodeHandler } from '#client/forwarder/handlers.ts'
import { paths, queryParameters, type OperationId } from '#client/operations.ts'
import { send } from '../../harness/http-client.ts'
import { startUpstream } from '../../harness/upstream.ts'
import { sharedSmallService } from '../../proxy/small-service.ts'

type ExpressApp = ((req: IncomingMessage, res: ServerResponse) => void) & {
  set(name: string, value: unknown): void
  use(path: string, handler: (req: any, res: ServerResponse) => unknown): void
}
const express = untypedExpress as () => ExpressApp

const service = sharedSmallService()
let options: ForwarderOptions

beforeAll(() => void (options = { baseUrl: `${service.origin}/v1`, key: service.key, prefix: '/api' }))

/** Starts a server for the running test. */
async function startServer(handle: (req: IncomingMessage, res: ServerResponse) => unknown): Promise<string> {
  return (await startUpstream((req, res) => void handle(req, res))).address
}

function get(path: string, more: Partial<ForwarderOptions> = {}, init: RequestInit = {}) {
  return createForwarder({ ...options, ...more })(new Request(`http://app.example${path}`, init), '192.0.2.1')
}

test('a client without a key calls every operation through a server of node:http', async () => {
  const origin = await startServer(nodeHandler(options))
  const client = new ClipLookup({ baseUrl: `${origin}/api` })
  const direct = new ClipLookup({ baseUrl: options.baseUrl, key: options.key })
  const calls: ((each: ClipLookup) => Promise<unknown>)[] = [
    (each) => each.getFeed({ seed: 's', known: ['A1', 4], context: true }),
    (each) => each.listClips({ ids: ['cat-sitter', 'watchmaker'] }),
    (each) => each.getTranscript({ clipId: 'cat-sitter' }),
    (each) => each.listWords({ spellings: ['ran', 'cats'] }),
    (each) => each.listWords({ ids: [1, 7] }),
    (each) => each.listWords({ q: 'purrs', in: 'meanings' }),
    (each) => each.getWord({ word: 'and/or' }),
    (each) => each.listWordClips({ word: 'look after' }),
    (each) => each.searchSentences({ q: 'the cat & co?' }),
    (each) => each.getCorpus(),
  ]
  for (const call of calls) expect(await call(client)).toEqual(await call(direct))
  await expect(client.getClip({ clipId: 'nosuchclip' })).rejects.toMatchObject({ code: 'not_found' })
})

test('forwards every parameter of every operation, and no other parameter', async () => {
  const sent: string[] = []
  const fetch = async (url: string) => {
    sent.push(url.slice(options.baseUrl.length))
    return new Response('{}')
  }
  const forward = createForwarder({ ...options, fetch, operations: Object.keys(paths) as OperationId[] })
  for (const [id, names] of Object.entries(queryParameters)) {
    const path = paths[id as OperationId].replace(/\{\w+\}/, 'a%2Fb')
    const target = names.length === 0 ? path : `${path}?${names.map((name) => `${name}=%26x`).join('&')}`
    expect((await forward(new Request(`http://app.example/api${target}`), id)).status).toBe(200)
    expect(sent.at(-1)).toBe(target)
    const refused = await forward(new Request(`http://app.example/api${path}?lang=en`), id)
    expect(await refused.json()).toMatchObject({ error: { code: 'invalid_parameter', parameter: 'lang' } })
    expect(sent.at(-1)).toBe(target)
  }
})

test.each([
  ['/api/usage', 'GET', 404, 'not_found'],
  ['/api/openapi.json', 'GET', 404, 'not_found'],
  ['/api/clips/../../admin', 'GET', 404, 'not_found'],
  ['/api/words/a/clips/b', 'GET', 404, 'not_found'],
  ['/feed', 'GET', 404, 'not_found'],
  ['/api/feed', 'POST', 405, 'method_not_allowed'],
])('does not forward %s with %s', async (path, method, status, code) => {
  const response = await get(path, {}, { method })
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ error: { code } })
})

test('forwards only the listed operations', async () => {
  expect((await get('/api/feed', { operations: ['getFeed'] })).status).toBe(200)
  expect((await get('/api/words', { operations: ['getFeed'] })).status).toBe(404)
  expect((await get('/api/usage', { operations: ['getUsage'] })).status).toBe(200)
})

test('each client has a minute window of its own', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-01T12:00:50.500Z') })
  onTestFinished(() => void vi.useRealTimers())
  const forward = createForwarder({ ...options, perMinute: 2 })
  const ask = (address: string) => forward(new Request('http://app.example/api/words'), address)
  for (const address of ['192.0.2.1', '2001:db8::1']) {
    expect((await ask(address)).headers.get('X-RateLimit-Remaining')).toBe('1')
    expect((await ask(address)).status).toBe(200)
  }
  const refused = await ask('192.0.2.1')
  expect(refused.status).toBe(429)
  expect(refused.headers.get('Retry-After')).toBe('10')
  expect(await refused.json()).toMatchObject({ error: { code: 'rate_limited', retryAfter: 10 } })
  expect((await ask('2001:db8::ffff')).status).toBe(429)
  expect((await ask('2001:db8:0:1::1')).status).toBe(200)
  vi.setSystemTime('2026-03-01T12:01:00.000Z')
  expect((await ask('192.0.2.1')).status).toBe(200)
})

test('responses can be revalidated, and a HEAD has no body', async () => {
  const first = await get('/api/clips/cat-sitter')
  expect(first.headers.get('Cache-Control')).toContain('immutable')
  const headers = { 'If-None-Match': first.headers.get('ETag')! }
  expect((await get('/api/clips/cat-sitter', {}, { headers })).status).toBe(304)
  const head = await get('/api/clips/cat-sitter', {}, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
})

test('reports an invalid key and an unreachable service as server errors', async () => {
  const invalid = await get('/api/feed', { key: 'clk_nosuchkey' })
  const text = await invalid.text()
  expect([invalid.status, text.includes('clk_')]).toEqual([500, false])
  const gone = await get('/api/feed', { baseUrl: 'http://127.0.0.1:9' })
  expect(gone.status).toBe(503)
  expect(await gone.json()).toMatchObject({ error: { code: 'unavailable' } })
})

test('Express mounts the forwarder without a prefix and identifies its clients', async () => {
  const app = express()
  app.set('trust proxy', true)
  app.use('/api', expressHandler({ ...options, prefix: '', perMinute: 3 }))
  const origin = await startServer(app)
  const ask = async (target: string, client: string) => {
    const headers = { 'X-Forwarded-For': client }
    return (await send(origin, target, { isChecked: false, headers })).status
  }
  expect(await ask('/api/words', '192.0.2.1')).toBe(200)
  expect(await ask('/api//words', '192.0.2.1')).toBe(200)
  expect(await ask('/api//evil.example/words', '192.0.2.2')).toBe(404)
  expect(await ask('/api/words', '192.0.2.1')).toBe(200)
  expect(await ask('/api/words', '192.0.2.1')).toBe(429)
  expect(await ask('/api/words', '192.0.2.2')).toBe(200)
})

test('Hono uses the forwarder as a handler, and on Node it identifies clients by address', async () => {
  const app = new Hono().all('/api/*', honoHandler({ ...options, perMinute: 1 }))
  const origin = await startServer(getRequestListener(app.fetch))
  const response = await fetch(`${origin}/api/words?q=cat`)
  expect(await response.json()).toMatchObject({ words: [{ word: 'cat' }] })
  const ask = async (remoteAddress: string) =>
    (await app.request('/api/words', {}, { incoming: { socket: { remoteAddress } } })).status
  expect(await ask('127.0.0.1')).toBe(429)
  expect(await ask('192.0.2.2')).toBe(200)
})
