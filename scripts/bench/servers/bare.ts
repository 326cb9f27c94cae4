/**
 * What everything is measured against: `node:http` alone, sending the bytes and headers given in
 * BARE_ANSWER.
 */
import { createServer } from 'node:http'
import { listen } from './listen.ts'

const { status, headers, body } = JSON.parse(process.env.BARE_ANSWER!) as {
  status: number
  headers: Record<string, string>
  body: string
}
const bytes = Buffer.from(body, 'base64')

listen(
  createServer((_req, res) => {
    res.writeHead(status, headers)
    res.end(bytes)
  }),
)
