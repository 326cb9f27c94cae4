/** The baseline of the benchmarks: a bare `node:http` server that sends BENCH_RESPONSE. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Recording } from './service.ts'

const { status, headers, body } = JSON.parse(process.env.BENCH_RESPONSE!) as Recording
const bytes = Buffer.from(body, 'base64')
const server = createServer((_req, res) => {
  res.writeHead(status, headers)
  res.end(bytes)
})
server.listen(0, '127.0.0.1', () => {
  process.stderr.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
