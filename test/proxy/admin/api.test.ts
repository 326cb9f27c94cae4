import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { keyDigest } from '#metering/key.ts'
import { signUp } from '#metering/sign-up.ts'
import type { MeterStore } from '#metering/meter-store.ts'
import { adminErrorSchema, adminOpenApi } from '#proxy/admin/api/openapi.ts'
import { adminOperations } from '#proxy/admin/api/operations.ts'
import { createAdminServer } from '#proxy/admin/server.ts'
import { testClock } from '../../harness/clock.ts'
import { storeForTest } from '../../harness/store.ts'
import { tempFolder } from '../../harness/temp-folder.ts'
import { listen } from '../../harness/listen.ts'

const token = 'a token of the operator'.replaceAll(' ', '-')
let store: MeterStore
let base: string
const errors: unknown[] = []

beforeEach(async () => {
  const clock = testClock('2026-01-31T08:00:00.000Z')
  store = await storeForTest(`sqlite:${join(tempFolder(), 'store.sqlite')}`, { plans: defaultPlans, clock })
  const context = { store, plans: defaultPlans, actor: 'admin API' }
  const log = { error: (...line: unknown[]) => void errors.push(line) }
  const options = { token, context, log }
  const server = createAdminServer(async () => ({ processes: [], metrics: [], restarts: 0 }), options)
  base = `http://127.0.0.1:${await listen(server)}/admin/v1`
  await signUp(context, { account: 'mia', address: '192.0.2.1', perDay: 5 })
})

afterEach(() => expect(errors).toEqual([]))

/** Every response is checked against the schema in the OpenAPI document. */
async function call(method: string, path: string, body?: unknown, credential = token) {
  const answer = await fetch(base + path, {
    method,
    headers: { authorization: `Bearer ${credential}` },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const json = await answer.json()
  const operation = adminOperations.find(
    (row) =>
      row.method === method &&
      new RegExp(`^${row.path.replace(/\{\w+\}/, '[^/]+')}$`).test(path.split('?')[0]!),
  )
  const schema = answer.ok && operation ? operation.record : adminErrorSchema
  if (path !== '/openapi.json') schema.parse(json)
  // oxlint-disable-next-line typescript/no-explicit-any
  return { status: answer.status, json: json as any }
}

test('does what the commands do, and logs who called it', async () => {
  const wanted = { account: 'ann', plan: 'starter', name: 'production', note: 'first' }
  const made = await call('POST', '/keys', wanted)
  expect(made).toMatchObject({ status: 201, json: { account: 'ann', plan: 'starter', notes: [] } })
  const { keyId, key } = made.json
  await store.counters.consume({ kind: 'key', digest: keyDigest(key) }, 1)
  expect((await call('POST', `/keys/${keyId}/disable`)).json).toMatchObject({ keyId, enabled: false })
  expect((await call('POST', `/keys/${keyId}/enable`)).json).toMatchObject({ enabled: true })
  const rotated = await call('POST', `/keys/${keyId}/rotate`, { overlap: '24h' })
  expect(rotated).toMatchObject({ status: 201, json: { account: 'ann', expiresAt: null } })
  expect((await call('GET', '/keys')).json).toMatchObject([
    { account: 'mia' },
    { keyId, name: 'production', note: 'first', expiresAt: '2026-02-01T08:00:00.000Z' },
    { keyId: rotated.json.keyId, name: 'production' },
  ])
  expect((await call('PUT', '/accounts/ann/plan', { plan: 'growth' })).json).toMatchObject({ plan: 'growth' })
  const name = 'Ann & Söhne/2'
  await call('POST', '/accounts/ann/rename', { name })
  const path = `/accounts/${encodeURIComponent(name)}`
  expect((await call('GET', `${path}/usage`)).json).toMatchObject({ plan: 'growth', requests: 1 })
  expect((await call('GET', `${path}/usage-by-key`)).json).toMatchObject([{ keyId, requests: 1 }, {}])
  expect((await call('DELETE', path)).json).toMatchObject({ account: name })
  const expected = [{ account: 'mia' }, { account: name, requests: 1 }]
  expect((await call('GET', '/usage?period=2026-01')).json).toMatchObject(expected)
  for (const body of [undefined, {}, { confirm: true }])
    expect((await call('POST', `${path}/purge`, body)).status).toBe(400)
  expect((await call('POST', `${path}/purge`, { confirm: 'mia' })).status).toBe(409)
  expect((await call('POST', `${path}/purge`, { confirm: name })).status).toBe(200)
  expect((await call('GET', '/accounts')).json).toMatchObject([{ account: 'mia', bySignUp: true }])
  const changes = (await call('GET', '/changes')).json as { actor: string; action: string }[]
  expect(new Set(changes.map(({ actor }) => actor))).toEqual(new Set(['admin API']))
  expect(changes.at(-1)!.action).toBe('accounts purge')
})

test('creates a key for an account made by sign-up with a note that names its keys', async () => {
  const { json } = await call('POST', '/keys', { account: 'MIA' })
  const keys = (await call('GET', '/keys')).json as { keyId: string }[]
  const ids = keys.map(({ keyId }) => keyId)
  expect(ids).toEqual([expect.anything(), json.keyId])
  expect(json.notes).toEqual([`the account "mia" was created by sign-up; its keys: ${ids.join(', ')}`])
})

test.each(['', 'wrong', `${token}x`, token.slice(1)])('answers the token %j with 401', async (wrong) => {
  for (const path of ['/keys', '/openapi.json', '/nothing'])
    expect(await call('GET', path, undefined, wrong)).toMatchObject({
      status: 401,
      json: { error: { code: 'invalid_token' } },
    })
})

test.each([
  ['GET', '/nothing', undefined, 404, 'not_found'],
  ['DELETE', '/keys', undefined, 405, 'method_not_allowed'],
  ['POST', '/keys/key_x/disable', undefined, 404, 'not_found'],
  ['GET', '/accounts/nobody/usage', undefined, 404, 'not_found'],
  ['GET', '/accounts/mia/usage?period=2020-01', undefined, 404, 'not_found'],
  ['GET', '/accounts/mia/usage-by-key?period=2020-01', undefined, 404, 'not_found'],
  ['GET', '/accounts/%ff/usage', undefined, 400, 'bad_request'],
  ['GET', '/usage?period=2026-13', undefined, 400, 'bad_request'],
  ['GET', '/usage?when=now', undefined, 400, 'bad_request'],
  ['POST', '/keys', '{', 400, 'bad_request'],
  ['POST', '/keys', { account: 'ann', plans: 'trial' }, 400, 'bad_request'],
  ['POST', '/keys', { account: 7 }, 400, 'bad_request'],
  ['POST', '/keys', { account: 'a'.repeat(20_000) }, 413, 'bad_request'],
  ['POST', '/keys', { account: 'ann', plan: 'gold' }, 409, 'refused'],
  ['POST', '/accounts/mia/rename', { name: ' ' }, 409, 'refused'],
  ['PUT', '/accounts/mia/plan', { plan: 'growth' }, 409, 'refused'],
  ['PUT', '/accounts/mia/plan', { plan: 'growth', confirm: true }, 200, undefined],
])('answers %s %s with %j with %i', async (method, path, body, status, code) => {
  const answer = await call(method, path, body)
  expect(answer.status).toBe(status)
  expect(answer.json.error?.code).toBe(code)
})

test.each([
  ['/keys', { acount: 'ann' }, 'The body has the unknown field "acount".'],
  ['/keys', {}, '"account" in the body is missing.'],
  ['/keys', { account: 7 }, '"account" in the body must have the type string.'],
  ['/keys', { account: '' }, '"account" in the body must not be empty.'],
  ['/keys', [], 'The body must have the type object.'],
])('names the wrong field of a body: POST %s with %j', async (path, body, message) => {
  expect((await call('POST', path, body)).json.error).toEqual({ code: 'bad_request', message })
})

test('refuses a body that is too large while it arrives, and closes the connection', async () => {
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  const head = `POST /admin/v1/keys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`
  socket.write(`${head}Content-Length: 1000000\r\n\r\n{"account":"${'a'.repeat(20_000)}`)
  const text = (await socket.setEncoding('utf8').toArray()).join('')
  expect(text).toMatch(/^HTTP\/1\.1 413 /)
  expect(text).toContain('Connection: close')
})

test('has every operation in its document, which is OpenAPI 3.1', async () => {
  const { json } = await call('GET', '/openapi.json')
  expect(json).toEqual(JSON.parse(JSON.stringify(adminOpenApi())))
  expect(json.openapi).toBe('3.1.1')
  for (const { method, path, summary } of adminOperations)
    expect(json.paths[path][method.toLowerCase()].summary).toBe(summary)
})

test('has every operation on its page', () => {
  const page = readFileSync(
    new URL('../../../src/site/content/docs/operate/admin-api.mdx', import.meta.url),
    'utf8',
  )
  for (const { method, path } of adminOperations) expect(page).toContain(`| \`${method} ${path}\` `)
})

test('is not available without a token: the listener then serves three paths', async () => {
  const plain = createAdminServer(async () => ({ processes: [], metrics: [], restarts: 0 }))
  const port = await listen(plain)
  expect((await fetch(`http://127.0.0.1:${port}/admin/v1/keys`)).status).toBe(404)
})
