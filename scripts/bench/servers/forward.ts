/** `http-proxy` alone: forwards every request to the address in the first argument. */
import { Agent, createServer, type ServerResponse } from 'node:http'
import { createProxyServer } from 'http-proxy'

const proxy = createProxyServer({
  target: process.argv[2]!,
  agent: new Agent({ keepAlive: true, maxSockets: 64 }),
})
proxy.on('error', (_error, _req, res) => void (res as ServerResponse).writeHead(502).end())
const server = createServer((req, res) => proxy.web(req, res))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stderr.write(`listening on http://127.0.0.1:${typeof address === 'object' ? address!.port : ''}\n`)
})
