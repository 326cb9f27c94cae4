/** `http-proxy` alone: forwards every request to the address in the first argument. */
import { Agent, createServer, type ServerResponse } from 'node:http'
import { createProxyServer } from 'http-proxy'
import { listen } from './listen.ts'

const proxy = createProxyServer({
  target: process.argv[2]!,
  agent: new Agent({ keepAlive: true, maxSockets: 64 }),
})
proxy.on('error', (_error, _req, res) => void (res as ServerResponse).writeHead(502).end())
listen(createServer((req, res) => proxy.web(req, res)))
