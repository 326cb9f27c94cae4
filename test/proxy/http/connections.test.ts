import { once } from 'node:events'
import { Agent, Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { queryObjects } from 'node:v8'
import { afterEach, describe, expect, test } from 'vitest'
import { longTest } from '../../harness/fault-rounds.ts'
import { send } from '../../harness/http-client.ts'
import { rawRequest, sendRaw } from './raw-request.ts'
import { startSmallService, type SmallService } from '../small-service.ts'

let service: SmallService | undefined
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await service?.stop()
  service = undefined
})

/** Opens a connection that never closes by itself and sends some bytes. */
async function open(bytes = ''): Promise<Socket> {
  const socket = connect({
    port: Number(new URL(service!.origin).port),
    host: '127.0.0.1',
    allowHalfOpen: true,
  })
  socket.on('error', () => {})
  sockets.push(socket)
  await once(socket, 'connect')
  if (bytes !== '') socket.write(bytes, 'latin1')
  return socket
}

/** More than the buffers of both kernels hold, requested and not read. */
const unread = 'GET /v1/openapi.json HTTP/1.1\r\nHost: h\r\n\r\n'.repeat(400)

/** The bytes sent by a connection in each phase. */
const phases: Record<string, string> = {
  'silent from the start': '',
  'in the middle of a head': 'GET /v1/corpus HTTP/1.1\r\nHost: h\r\n',
  'in the middle of a body': 'POST /v1/corpus HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nabc',
  'idle after an answer': 'GET /v1/corpus HTTP/1.1\r\nHost: h\r\n\r\n',
  refused: 'nonsense\r\n\r\n',
  'of CONNECT': 'CONNECT /v1/corpus HTTP/1.1\r\nHost: h\r\n\r\n',
  'of an upgrade': 'GET /v1/corpus HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
  'with an answer that nobody reads': unread,
}

const quick = { headersMs: 300, requestMs: 300, answerMs: 300, idleMs: 300, lingerMs: 300, drainMs: 300 }

describe('the server closes', () => {
  test('a connection in any phase whose client does nothing more', async () => {
    service = await startSmallService({ limits: quick })
    // Paused sockets read nothing, and half-open ones do not close their side.
    for (const bytes of Object.values(phases)) (await open(bytes)).pause()
    await expect.poll(() => service!.connections()).toBe(0)
    // Only reading shows that the server has closed each of them.
    for (const socket of sockets)
      if (!socket.closed)
        await socket
          .resume()
          .toArray()
          .catch(() => {})
  })

  test('a connection of CONNECT even if its client keeps its own side open', async () => {
    service = await startSmallService({ limits: { lingerMs: 100 } })
    ;(await open(phases['of CONNECT'])).resume()
    await expect.poll(() => service!.connections()).toBe(0)
  })
})

test('answers a connection over the limit with 503, and continues to serve the open ones', async () => {
  service = await startSmallService({ limits: { maxOpen: 3, lingerMs: 100 } })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = () => service!.get('/corpus', { agent })
  expect((await ask()).status).toBe(200)
  await open()
  await open()
  const [answer, ...more] = await sendRaw(service.origin, rawRequest('GET /v1/corpus HTTP/1.1', 'Host: h'))
  expect([answer!.status, more.length]).toEqual([503, 0])
  expect(answer!.headers).toMatchObject({ connection: 'close', 'x-request-id': expect.any(String) })
  expect(JSON.parse(answer!.text)).toEqual({
    error: { code: 'unavailable', message: 'Too many connections are open. Try again later.' },
  })
  expect((await ask()).status).toBe(200)
  expect(service.errors).toEqual([expect.stringContaining('too many connections are open')])
  for (const socket of sockets.splice(0)) socket.destroy()
  await expect.poll(async () => (await send(service!.origin, '/v1/corpus')).status).toBe(200)
  agent.destroy()
})

test('a response that is read slowly, but within the limit, arrives whole', async () => {
  service = await startSmallService({ limits: { answerMs: 20_000 } })
  const socket = await open(rawRequest('GET /v1/openapi.json HTTP/1.1', 'Host: h'))
  const chunks: Buffer[] = []
  for await (const chunk of socket) {
    chunks.push(chunk as Buffer)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const text = Buffer.concat(chunks).toString()
  const [, length] = /Content-Length: (\d+)/.exec(text)!
  expect(Buffer.byteLength(text.slice(text.indexOf('\r\n\r\n') + 4))).toBe(Number(length))
})

describe('requests sent in a row', () => {
  const ask = 'GET /v1/corpus HTTP/1.1\r\nHost: h\r\n\r\n'

  /** Returns the number of this machine's requests before this one. */
  async function counted(): Promise<number> {
    const { headers } = await fetch(`${service!.origin}/v1/corpus`)
    return 100_000 - 1 - Number(headers.get('x-ratelimit-remaining'))
  }

  test('are not processed while the client reads no responses', async () => {
    service = await startSmallService({ publicPerMinute: 100_000 })
    const socket = await open()
    socket.pause()
    socket.write('GET /v1/openapi.json HTTP/1.1\r\nHost: h\r\n\r\n'.repeat(1000))
    // Repeats until two consecutive calls find only themselves.
    let before = -2
    await expect
      .poll(async () => {
        const now = await counted()
        const isQuiet = now > 1 && now === before + 1
        before = now
        return isQuiet
      })
      .toBe(true)
    expect(before).toBeLessThan(500)
  })

  test('are all answered, in order, while the client reads its responses', async () => {
    service = await startSmallService({ publicPerMinute: 100_000 })
    const last = rawRequest('GET /v1/corpus HTTP/1.1', 'Host: h')
    const answers = await sendRaw(service.origin, ask.repeat(499) + last)
    const left = answers.map(({ headers }) => Number(headers['x-ratelimit-remaining']))
    expect(left).toEqual(Array.from({ length: 500 }, (_, i) => 99_999 - i))
  })

  test('close their connection if more of them wait than there are places left', async () => {
    service = await startSmallService({ publicPerMinute: 100_000, limits: { maxWaiting: 1_000 } })
    const last = rawRequest('GET /v1/corpus HTTP/1.1', 'Host: h')
    const answersInARow = async (count: number) =>
      (await sendRaw(service!.origin, ask.repeat(count - 1) + last).catch(() => [])).length
    const socket = await open()
    socket.pause()
    socket.write('GET /v1/openapi.json HTTP/1.1\r\nHost: h\r\n\r\n'.repeat(450))
    await expect.poll(() => answersInARow(500)).toBeLessThan(500)
    expect(await answersInARow(100)).toBe(100)
    socket.destroy()
    await expect.poll(() => answersInARow(500)).toBe(500)
  })

  test('are not counted after their client has disconnected', async () => {
    service = await startSmallService({ publicPerMinute: 100_000 })
    const socket = await open(ask.repeat(1000))
    await once(socket, 'data')
    socket.resetAndDestroy()
    await expect.poll(() => service!.connections()).toBe(0)
    expect(await counted()).toBeLessThan(1000)
  })

  test.each([
    ['an upgrade', 'Upgrade: websocket', 200],
    ['a body in an unknown coding', 'Transfer-Encoding: gzip, chunked\r\n\r\n0', 400],
    ['two hosts', 'Host: g', 400],
    ['headers that are too large', `X: ${'x'.repeat(17_000)}`, 431],
  ])('are not counted behind %s, after which the connection closes', async (_, header, status) => {
    service = await startSmallService({ publicPerMinute: 100_000 })
    const first = `GET /v1/corpus HTTP/1.1\r\nHost: h\r\n${header}\r\n\r\n`
    const answers = await sendRaw(service.origin, first + ask.repeat(3))
    expect(answers.map((answer) => answer.status)).toEqual([status])
    expect(await counted()).toBe(status === 200 ? 1 : 0)
  })

  test('may end in a CONNECT', async () => {
    service = await startSmallService({ limits: { lingerMs: 100 } })
    const answers = await sendRaw(service.origin, ask + phases['of CONNECT'])
    expect(answers.map(({ status }) => status)).toEqual([200, 405])
  })
})

test('the server can stop with any connections open', async () => {
  service = await startSmallService({ limits: { drainMs: 500 } })
  for (const bytes of Object.values(phases)) for (let i = 0; i < 3; i++) (await open(bytes)).pause()
  await expect.poll(() => service!.connections()).toBeGreaterThan(10)
  await service.stop()
  expect(await service.connections()).toBe(0)
  service = undefined
})

longTest('a server that has stopped is no longer in memory', async () => {
  const countServers = () => queryObjects(Server, { format: 'count' })
  const count = countServers()
  const stopped = await startSmallService()
  await stopped.get('/corpus')
  await stopped.stop()
  await expect.poll(countServers, { interval: 1_000 }).toBeLessThanOrEqual(count)
})
