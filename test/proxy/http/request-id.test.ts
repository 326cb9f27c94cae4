import { expect, test } from 'vitest'
import { rawRequest, sendRaw } from './raw-request.ts'
import { send } from '../../harness/http-client.ts'
import { sharedSmallService } from '../small-service.ts'

const trusting = sharedSmallService({ trustProxy: '127.0.0.1' })
const plain = sharedSmallService()

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const sent = { 'x-request-id': 'lb:7f/3=a' }

test.each([
  ['an answer', '/v1/corpus', {}],
  ['304', '/v1/corpus', { 'if-none-match': '*' }],
  ['an error', '/v1/nothing', {}],
  ['a refusal', '/v1/feed', {}],
])('%s echoes the id of a trusted proxy', async (_, path, more) => {
  const { headers } = await send(trusting.origin, path, { headers: { ...sent, ...more } })
  expect(headers['x-request-id']).toBe('lb:7f/3=a')
  const preflight = await send(trusting.origin, path, { method: 'OPTIONS', headers: sent })
  expect(preflight.headers['x-request-id']).toBe('lb:7f/3=a')
})

test('gives others a new id for each request', async () => {
  const ids = []
  for (let i = 0; i < 3; i++)
    ids.push((await send(plain.origin, '/v1/corpus', { headers: sent })).headers['x-request-id'])
  for (const id of ids) expect(id).toMatch(uuid)
  expect(new Set(ids).size).toBe(3)
})

test.each(['', 'a b', 'a"b', 'x'.repeat(129)])('replaces an id that could damage a log: %j', async (id) => {
  const { headers } = await send(trusting.origin, '/v1/corpus', { headers: { 'x-request-id': id } })
  expect(headers['x-request-id']).toMatch(uuid)
})

test('also gives an id to bytes that are not a request', async () => {
  const [garbage] = await sendRaw(plain.origin, 'nonsense\r\n\r\n')
  expect(garbage!.headers['x-request-id']).toMatch(uuid)
  const [noHost] = await sendRaw(plain.origin, rawRequest('GET /v1/corpus HTTP/1.1'))
  expect(noHost!.headers['x-request-id']).toMatch(uuid)
})
