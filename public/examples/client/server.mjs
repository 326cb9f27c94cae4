// Serves the pages of this folder, and forwards their requests with a key that no visitor sees.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { nodeHandler } from 'clip-lookup-client/forwarder'

const { CLIP_LOOKUP_URL = 'http://127.0.0.1:8080', CLIP_LOOKUP_KEY: key, PORT = 3000 } = process.env
const forward = nodeHandler({ baseUrl: `${CLIP_LOOKUP_URL}/v1`, key, prefix: '/api', perMinute: 60 })
const types = { html: 'text/html; charset=utf-8', js: 'text/javascript' }

createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost')
  if (pathname.startsWith('/api/')) return forward(request, response)
  // A page of this folder, or a module of the client.
  const [, file, type] = /^\/(\w[\w/-]*\.(html|js))$/.exec(pathname) ?? []
  const path = file?.startsWith('clip-lookup-client/') ? `node_modules/${file}` : file
  const text = path && (await readFile(path).catch(() => null))
  if (!text) return response.writeHead(404).end()
  response.writeHead(200, { 'content-type': types[type] }).end(text)
}).listen(PORT, '127.0.0.1', () => console.log(`the pages are at http://127.0.0.1:${PORT}/`))
