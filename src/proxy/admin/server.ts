import { createServer, type IncomingMessage, type Server } from 'node:http'
import { AggregatorRegistry, Counter, Gauge } from 'prom-client'
import { answerAdmin, type AdminApi } from './api/answer.ts'
import { adminBase } from './api/openapi.ts'
import type { ServiceStatus } from './readiness.ts'

/**
 * The server for operators, not listening yet: `/livez`, `/readyz` and `/metrics` of all processes.
 *
 * @param ask gets the status of these processes
 * @param api the admin API, below `/admin/v1`; without it, there is none
 */
export function createAdminServer(ask: () => Promise<ServiceStatus>, api?: AdminApi): Server {
  return createServer((req, res) => {
    void answer(req, ask, api)
      .catch((error: Error) => plain(500, error.message))
      .then(({ status, text, headers }) => {
        const length = Buffer.byteLength(text)
        // The rest of a body that was refused is not read.
        if (!req.complete) res.setHeader('Connection', 'close')
        res.writeHead(status, { ...headers, 'Content-Length': length, 'Cache-Control': 'no-store' })
        res.end(req.method === 'HEAD' ? undefined : text)
      })
  })
}

export const readyName = 'clip_lookup_ready'
export const restartsName = 'clip_lookup_worker_restarts_total'
export const readableName = 'clip_lookup_origin_readable'

async function answer(req: IncomingMessage, ask: () => Promise<ServiceStatus>, api: AdminApi | undefined) {
  const { method, url } = req
  if (api && url!.startsWith(`${adminBase}/`)) {
    const { status, body } = await answerAdmin(req, api)
    return json(status, body)
  }
  if (method !== 'GET' && method !== 'HEAD')
    return plain(405, 'This method is not allowed here. Use GET or HEAD.', { Allow: 'GET, HEAD' })
  const path = url!.split('?')[0]
  if (path === '/livez') return plain(200, 'ok')
  if (path !== '/readyz' && path !== '/metrics')
    return plain(404, 'There is nothing at this path. The paths are /livez, /readyz and /metrics.')
  const { processes, metrics, restarts } = await ask()
  const isReady = processes.length > 0 && processes.every((each) => each?.isReady === true)
  if (path === '/readyz') return json(isReady ? 200 : 503, { isReady, processes })
  const registry = AggregatorRegistry.aggregate(metrics)
  const registers = [registry]
  const isReadable = processes.every((each) => each === null || each.origin === 'ok')
  const readableHelp = 'Whether the files of the release and the pointer to the next one can be read'
  new Gauge({ name: readyName, help: 'Whether /readyz answers 200', registers }).set(Number(isReady))
  new Counter({ name: restartsName, help: 'Workers that ended and were replaced', registers }).inc(restarts)
  new Gauge({ name: readableName, help: readableHelp, registers }).set(Number(isReadable))
  return { status: 200, text: await registry.metrics(), headers: { 'Content-Type': registry.contentType } }
}

function plain(status: number, line: string, headers = {}) {
  return { status, text: `${line}\n`, headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers } }
}

function json(status: number, body: unknown) {
  const headers = { 'Content-Type': 'application/json; charset=utf-8' }
  return { status, text: `${JSON.stringify(body)}\n`, headers }
}
