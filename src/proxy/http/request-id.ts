import { randomUUID } from 'node:crypto'
import type { TrustedProxies } from './client-address.ts'

/**
 * The ids that a load balancer may send: long enough for a UUID or a trace id, and safe in a header
 * and a log line.
 */
const form = /^[\w.:+=/-]{1,128}$/

/**
 * The id of a request, for its answer and its log lines: the `X-Request-Id` that a trusted proxy
 * sent, else a new UUID. Other clients could forge log lines.
 */
export function requestIdOf(
  peer: string | undefined,
  sent: string | undefined,
  trusted: TrustedProxies,
): string {
  if (sent === undefined || peer === undefined) return randomUUID()
  return form.test(sent) && trusted.has(peer) ? sent : randomUUID()
}
