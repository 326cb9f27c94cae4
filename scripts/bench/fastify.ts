/**
 * A comparison for the benchmarks: Fastify sends one recorded response, which BENCH_RESPONSE
 * contains, and @fastify/rate-limit counts requests by key in memory. Both must be installed
 * beforehand, for example with `npm install --no-save fastify @fastify/rate-limit`.
 */
import { createRequire } from 'node:module'
import type { Recording } from './service.ts'

/** The part of Fastify that is used: its types are not installed either. */
interface App {
  register(plugin: unknown, options: object): Promise<void>
  get(path: string, handler: (request: unknown, reply: Reply) => unknown): void
  listen(options: { port: number; host: string }): Promise<string>
}
interface Reply {
  code(status: number): Reply
  headers(fields: Record<string, string>): Reply
  send(body: Buffer): Reply
}

const require = createRequire(import.meta.url)
const fastify = require('fastify') as () => App
const { status, headers, body } = JSON.parse(process.env.BENCH_RESPONSE!) as Recording
const bytes = Buffer.from(body, 'base64')
const app = fastify()
await app.register(require('@fastify/rate-limit'), {
  max: 1_000_000_000,
  timeWindow: 60_000,
  keyGenerator: ({ headers }: { headers: Record<string, string> }) => headers.authorization,
})
app.get('*', (_request, reply) => reply.code(status).headers(headers).send(bytes))
const address = await app.listen({ port: 0, host: '127.0.0.1' })
process.stderr.write(`listening on ${address}\n`)
