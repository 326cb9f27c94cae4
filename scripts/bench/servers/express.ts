/**
 * The peer: express with express-rate-limit and its own static files. TREE is the published tree,
 * KEYS the keys, comma separated.
 */
import { join } from 'node:path'
import express from 'express'
import { rateLimit } from 'express-rate-limit'

const keys = new Set(process.env.KEYS!.split(',').map((key) => `Bearer ${key}`))
const app = express()
app.use((req, res, next) => {
  if (keys.has(req.headers.authorization ?? '')) next()
  else res.status(401).json({ error: { code: 'invalid_key', message: 'send a key in force' } })
})
app.use(
  rateLimit({
    windowMs: 60_000,
    limit: Number(process.env.MAX_PER_MINUTE ?? 1_000_000_000),
    keyGenerator: (req) => req.headers.authorization!,
  }),
)
app.use(
  '/v1/clips',
  express.static(join(process.env.TREE!, 'data', 'clips'), { immutable: true, maxAge: '1y' }),
)
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stderr.write(`listening on http://127.0.0.1:${typeof address === 'object' ? address!.port : ''}\n`)
})
