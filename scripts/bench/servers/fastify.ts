/**
 * The peer: Fastify with its own plugins for keys, rate limit and static files. TREE is the
 * published tree, KEYS the keys, comma separated.
 */
import { join } from 'node:path'
import bearerAuth from '@fastify/bearer-auth'
import rateLimit from '@fastify/rate-limit'
import fastifyStatic from '@fastify/static'
import Fastify from 'fastify'

const app = Fastify()
await app.register(rateLimit, {
  max: Number(process.env.MAX_PER_MINUTE ?? 1_000_000_000),
  timeWindow: 60_000,
  keyGenerator: (request) => request.headers.authorization ?? request.ip,
})
await app.register(bearerAuth, { keys: new Set(process.env.KEYS!.split(',')) })
await app.register(fastifyStatic, {
  root: join(process.env.TREE!, 'data', 'clips'),
  prefix: '/v1/clips/',
  immutable: true,
  maxAge: '1y',
})
const address = await app.listen({ port: 0, host: '127.0.0.1' })
process.stderr.write(`listening on ${address}\n`)
