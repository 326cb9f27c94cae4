import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { holdStore } from '../../harness/hold-store.ts'
import type { ServiceOptions } from '../../harness/service.ts'
import { rawRequest, sendRaw } from '../http/raw-request.ts'
import { startSmallService, type SmallService } from '../small-service.ts'
import { holdRenderings, renderings, startServiceWithSite, writeSite } from './write-site.ts'

const serving = (options: Partial<ServiceOptions> = {}) =>
  startServiceWithSite({ signUpPerDay: 1000, ...options })

function accountsOf({ folder }: SmallService): number {
  const db = new DatabaseSync(join(folder, 'store.sqlite'), { readOnly: true })
  const row = db.prepare(`SELECT count(*) AS count FROM lines WHERE list = 'accounts'`).get()!
  db.close()
  return Number(row.count)
}

function post({ origin }: SmallService, account: string, headers: Record<string, string> = {}) {
  return fetch(`${origin}/signup/`, { method: 'POST', body: new URLSearchParams({ account }), headers })
}

describe('the form', () => {
  test('is rendered once for all visitors, under the policy, not stored, and not counted', async () => {
    await using service = await serving({ publicPerMinute: 1 })
    const letGo = holdRenderings()
    const before = renderings()
    const visits = Promise.all([0, 1, 2].map(() => fetch(`${service.origin}/signup/`)))
    await expect.poll(() => service.connections()).toBe(3)
    letGo()
    for (const response of await visits) {
      expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
      expect(response.headers.get('content-security-policy')).toBe(`default-src 'self'`)
      expect(await response.text()).toContain('{}')
    }
    expect(renderings() - before).toBe(1)
  })

  test('is rendered at most twice at once: the next request gets 503 at once, and creates no account', async () => {
    await using service = await serving()
    const letGo = holdRenderings()
    let refused = 0
    const posts = ['ann', 'bob', 'carl', 'dora'].map(async (name) => {
      const page = await post(service, name)
      if (page.status === 503) refused++
      return page
    })
    await expect.poll(() => refused).toBe(2)
    letGo()
    const pages = await Promise.all(posts)
    expect(pages.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 200, 503, 503])
    const busy = pages.find(({ status }) => status === 503)!
    expect([busy.headers.get('retry-after'), busy.headers.get('cache-control')]).toEqual(['1', 'no-store'])
    expect(accountsOf(service)).toBe(2)
  })

  test('is closed if the tree was copied without the program that renders it', async () => {
    await using service = await startSmallService({ signUpPerDay: 1000 })
    await writeSite(service.folder)
    rmSync(join(service.folder, 'dist', '.build', 'site-server'), { recursive: true })
    await service.refresh()
    expect(await (await fetch(`${service.origin}/signup/`)).text()).toBe('<h1>Closed</h1>')
    expect((await post(service, 'ann')).status).toBe(405)
  })

  test('says that sign-up is closed if the service does not offer it, and accepts no POST', async () => {
    await using service = await startServiceWithSite()
    expect(await (await fetch(`${service.origin}/signup/`)).text()).toBe('<h1>Closed</h1>')
    const refused = await post(service, 'ann')
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    const options = await fetch(`${service.origin}/signup/`, { method: 'OPTIONS' })
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS'])
  })

  test('lists its methods', async () => {
    await using service = await serving()
    const options = await fetch(`${service.origin}/signup/`, { method: 'OPTIONS' })
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, POST, OPTIONS'])
    const refused = await fetch(`${service.origin}/signup/`, { method: 'DELETE' })
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS'])
  })
})

describe('a submitted form', () => {
  test('creates an account with a key that is stored nowhere', async () => {
    await using service = await serving()
    const response = await post(service, 'ann & bob')
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
    const text = await response.text()
    expect(text).toContain('ann &amp; bob')
    const key = /clk_\w{38}/.exec(text)![0]
    expect((await service.get('/usage', { key })).json).toMatchObject({ plan: 'trial', requests: 0 })
  })

  test('shows a name as text: no part of it becomes markup or another placeholder', async () => {
    await using service = await serving()
    const name = `"><script>alert('1')</script>{{fault}}$&`
    await post(service, name)
    const text = await (await post(service, name)).text()
    expect(text).toContain(`&lt;script>alert('1')&lt;/script>{{fault}}$&amp;`)
  })

  test('is refused if it comes from another site', async () => {
    await using service = await serving()
    // A proxy that terminates TLS hides the scheme, so only the host is compared.
    const own = service.origin.replace('http:', 'https:')
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site', origin: own },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ] as Record<string, string>[]) {
      const response = await post(service, 'forged', headers)
      expect([response.status, response.statusText]).toEqual([403, 'Forbidden'])
    }
    const ownHeaders = [
      {},
      { origin: own },
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
    ]
    for (const [i, headers] of ownHeaders.entries())
      expect((await post(service, `own-${i}`, headers as Record<string, string>)).status).toBe(200)
  })

  const chunked = 'Transfer-Encoding: chunked'
  test.each([
    ['too large', 'account=a', ['Content-Length: 20000'], 413, 'Payload Too Large'],
    ['without a length', '9\r\naccount=a\r\n0\r\n\r\n', [chunked], 411, 'Length Required'],
    ['of another type', '{}', ['Content-Length: 2', 'Content-Type: application/json'], 400, 'Bad Request'],
    ['without the field', 'x=a', ['Content-Length: 3'], 400, 'Bad Request'],
    ['with a name too long', `account=${'a'.repeat(65)}`, ['Content-Length: 73'], 400, 'Bad Request'],
    ['with a blank name', 'account=+', ['Content-Length: 9'], 400, 'Bad Request'],
  ])('%s is refused', async (_, body, headers, status, reason) => {
    await using service = await serving()
    const type = 'Content-Type: application/x-www-form-urlencoded'
    const all = headers.some((header) => header.startsWith('Content-Type')) ? headers : [type, ...headers]
    const bytes = rawRequest('POST /signup/ HTTP/1.1', 'Host: h', ...all) + body
    const [answer] = await sendRaw(service.origin, bytes)
    expect(answer).toMatchObject({ status, reason, headers: { 'cache-control': 'no-store' } })
    expect(answer!.text).toContain('<h1>/signup/</h1>')
  })

  test('is rendered once for all that are refused for the same reason, whatever their names', async () => {
    await using service = await serving({ signUpPerDay: 1 })
    await post(service, 'ann')
    const before = renderings()
    for (let i = 0; i < 5; i++) {
      expect((await post(service, `\u0007${i}`)).status).toBe(400)
      expect((await post(service, `${i}`.padEnd(65, 'a'))).status).toBe(400)
      expect((await post(service, ' '.repeat(i))).status).toBe(400)
      expect((await post(service, `bob${i}`)).status).toBe(429)
    }
    expect(renderings() - before).toBe(3)
  })

  test('uses the window of its address, and then gets an unrendered page that says how long to wait', async () => {
    await using service = await serving({ publicPerMinute: 2 })
    const first = await post(service, 'ann')
    expect(first.headers.get('x-ratelimit-remaining')).toBe('1')
    expect((await post(service, 'ann')).status).toBe(409)
    const refused = await post(service, 'bob')
    expect([refused.status, refused.statusText]).toEqual([429, 'Too Many Requests'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    expect(await refused.text()).toMatch(/^<!doctype html>.* Try again in \d+ s\.$/)
  })

  test('gets the length of the day if the daily limit of accounts is reached', async () => {
    await using service = await serving({ signUpPerDay: 1 })
    expect((await post(service, 'ann')).status).toBe(200)
    const refused = await post(service, 'bob')
    expect([refused.status, refused.statusText]).toEqual([429, 'Too Many Requests'])
    const dayS = 86_400
    const untilMidnight = dayS - (Math.floor(service.clock.now() / 1000) % dayS)
    expect(refused.headers.get('retry-after')).toBe(String(untilMidnight))
  })

  test.each([
    ['an empty Host', 'Host:'],
    ['a port that is none', 'Host: x:abc'],
    ['a path for Host', 'Host: x/y'],
    ['half an address', 'Host: [::1'],
  ])('is accepted with any Host: %s', async (_, host) => {
    await using service = await serving()
    const headers = [host, 'Content-Type: application/x-www-form-urlencoded', 'Content-Length: 9']
    const [form] = await sendRaw(service.origin, rawRequest('GET /signup/ HTTP/1.1', host))
    const [made] = await sendRaw(
      service.origin,
      rawRequest('POST /signup/ HTTP/1.1', ...headers) + 'account=a',
    )
    expect([form!.status, made!.status]).toEqual([200, 200])
    const absolute = rawRequest('POST http://h/signup/ HTTP/1.1', ...headers) + 'account=b'
    expect((await sendRaw(service.origin, absolute))[0]!.status).toBe(200)
    expect(service.errors).toEqual([])
  })

  test('gets 503 while another process holds the store, and all other requests succeed', async () => {
    await using service = await serving({ patienceMs: 300 })
    const letGo = holdStore(join(service.folder, 'store.sqlite'))
    let isRefused = false
    const refused = post(service, 'ann').finally(() => (isRefused = true))
    for (let i = 0; i < 3; i++) {
      expect((await fetch(`${service.origin}/`)).status).toBe(200)
      expect(isRefused).toBe(false)
    }
    const { status, statusText } = await refused
    expect([status, statusText]).toEqual([503, 'Service Unavailable'])
    letGo()
    expect((await post(service, 'ann')).status).toBe(200)
  })
})

describe('a form whose body does not arrive', () => {
  const start = [
    'POST /signup/ HTTP/1.1',
    'Host: h',
    'Content-Type: application/x-www-form-urlencoded',
    'Content-Length: 100',
    '',
    'acc',
  ].join('\r\n')

  async function begin(service: SmallService) {
    const socket = connect({ port: Number(new URL(service.origin).port), host: '127.0.0.1' })
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(start)
    return socket
  }

  test('leaks no connection when its client disconnects', async () => {
    await using service = await serving()
    const sockets = await Promise.all(Array.from({ length: 20 }, () => begin(service)))
    await expect.poll(() => service.connections()).toBe(20)
    for (const socket of sockets.splice(10)) socket.destroy()
    for (const socket of sockets) socket.resume().end()
    await expect.poll(() => service.connections()).toBe(0)
    expect(service.errors).toEqual([])
  })

  test('gets 408 at the time limit of a request', async () => {
    await using service = await serving({ limits: { headersMs: 200, requestMs: 200 } })
    const [answer] = await sendRaw(service.origin, start)
    expect(answer).toMatchObject({ status: 408, headers: { connection: 'close' } })
    await expect.poll(() => service.connections()).toBe(0)
  })
})
