import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linesOf, writeHead } from '#proxy/http/response-head.ts'

/** Answers `/ours` by `writeHead` of ours, anything else by that of Node. */
let server: Server
beforeAll(async () => {
  const fields = ['Vary', 'Accept-Encoding', 'ETag', '"x"', 'Content-Length', '5']
  server = createServer({ keepAliveTimeout: 65_000 }, (req, res) => {
    const status = Number(/\d+/.exec(req.url!)?.[0] ?? 200)
    if (req.url!.startsWith('/ours')) writeHead(res, status, linesOf(fields))
    else res.writeHead(status, fields)
    expect(res.headersSent).toBe(true)
    res.end('hello', 'latin1')
  })
  server.on('checkExpectation', (req, res) => server.emit('request', req, res))
  server.on('checkContinue', (req, res) => server.emit('request', req, res))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())

/** What comes back for so many requests on one connection, without its dates: how many are answered, and whether it is closed. */
async function exchange(requests: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(requests, 'latin1')
  setTimeout(() => socket.end(), 200)
  return (await text(socket)).replaceAll(/Date: .*\r\n/g, 'Date\r\n')
}

test.each([
  ['one request', 'GET /X HTTP/1.1\r\nHost: h\r\n\r\n'],
  ['two on one connection', 'GET /X HTTP/1.1\r\nHost: h\r\n\r\nGET /X404 HTTP/1.1\r\nHost: h\r\n\r\n'],
  [
    'one that closes, and one behind it',
    'GET /X HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\nGET /X HTTP/1.1\r\nHost: h\r\n\r\n',
  ],
  ['HEAD', 'HEAD /X HTTP/1.1\r\nHost: h\r\n\r\nGET /X HTTP/1.1\r\nHost: h\r\n\r\n'],
  ['HTTP/1.0', 'GET /X HTTP/1.0\r\n\r\n'],
  ['HTTP/1.0 that would stay', 'GET /X HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /X HTTP/1.0\r\n\r\n'],
  [
    'one that asks whether to go on',
    'POST /X HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n',
  ],
  ['an error', 'GET /X503 HTTP/1.1\r\nHost: h\r\n\r\n'],
])('is byte for byte that of Node: %s', async (_, requests) => {
  const ours = await exchange(requests.replaceAll('/X', '/ours'))
  const wanted = await exchange(requests.replaceAll('/X', '/node'))
  expect(wanted).toMatch(/^HTTP\/1\.1 \d+ /)
  expect(ours).toBe(wanted)
})

test('the date is that of now', async () => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.end('GET /ours HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n')
  const [, date] = /\r\nDate: (.*)\r\n/.exec(await text(socket))!
  expect(new Date(date!).toUTCString()).toBe(date)
  expect(Math.abs(Date.parse(date!) - Date.now())).toBeLessThan(10_000)
})
