import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { AggregatorRegistry, Gauge } from 'prom-client'
import { answerAdmin, type AdminApi } from './api/answer.ts'
import { adminBase } from './api/openapi.ts'
import type { ServiceStatus } from './readiness.ts'

/**
 * The server for operators: `/livez`, `/readyz` and `/metrics` over all processes that serve. It
 * does not listen yet.
 *
 * @param ask asks these processes for their status
 * @param api the admin API, below `/admin/v1`; there is none without it
 */
export function createAdminServer(ask: () => Promise<ServiceStatus>, api?: AdminApi): Server {
  return createServer((req, res) => {
    answer(req, ask, api).then(
      (found) => send(req, res, found),
      (error: Error) => send(req, res, { status: 500, type: plainText, text: `${error.message}\n` }),
    )
  })
}

interface Found {
  status: number
  type: string
  text: string
}

const plainText = 'text/plain; charset=utf-8'
const json = 'application/json; charset=utf-8'

async function answer(
  req: IncomingMessage,
  ask: () => Promise<ServiceStatus>,
  api: AdminApi | undefined,
): Promise<Found> {
  const { method, url } = req
  if (api && url!.startsWith(`${adminBase}/`)) {
    const { status, body } = await answerAdmin(req, api)
    return { status, type: json, text: `${JSON.stringify(body)}\n` }
  }
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, type: plainText, text: 'use GET\n' }
  const path = url!.split('?')[0]
  if (path === '/livez') return { status: 200, type: plainText, text: 'ok\n' }
  if (path === '/readyz') return readyz(await ask())
  if (path === '/metrics') return await metrics(await ask())
  return { status: 404, type: plainText, text: 'GET /livez, /readyz or /metrics\n' }
}

export const readyName = 'clip_lookup_ready'

/** If there are processes and all are ready. */
function isReadyOf({ processes }: ServiceStatus): boolean {
  return processes.length > 0 && processes.every((each) => each?.isReady === true)
}

function readyz(status: ServiceStatus): Found {
  const { processes } = status
  const isReady = isReadyOf(status)
  const text = `${JSON.stringify({ isReady, processes })}\n`
  return { status: isReady ? 200 : 503, type: json, text }
}

async function metrics(status: ServiceStatus): Promise<Found> {
  const registry = AggregatorRegistry.aggregate(status.metrics)
  const ready = new Gauge({ name: readyName, help: 'Whether /readyz answers 200', registers: [registry] })
  ready.set(Number(isReadyOf(status)))
  return { status: 200, type: registry.contentType, text: await registry.metrics() }
}

function send(req: IncomingMessage, res: ServerResponse, { status, type, text }: Found): void {
  res.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    ...(status === 405 && type === plainText ? { Allow: 'GET, HEAD' } : {}),
  })
  res.end(req.method === 'HEAD' ? undefined : text)
}
