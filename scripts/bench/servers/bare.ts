/**
 * What everything is measured against: `node:http` alone, sending the bytes and headers given in
 * BARE_ANSWER.
 */
import { createServer } from 'node:http'

const { status, headers, body } = JSON.parse(process.env.BARE_ANSWER!) as {
  status: number
  headers: Record<string, string>
  body: string
}
const bytes = Buffer.from(body, 'base64')

const server = createServer((_req, res) => {
  res.writeHead(status, headers)
  res.end(bytes)
})
server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
  const address = server.address()
  process.stderr.write(`listening on http://127.0.0.1:${typeof address === 'object' ? address!.port : ''}\n`)
})
