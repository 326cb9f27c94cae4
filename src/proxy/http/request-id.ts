import { randomUUID } from 'node:crypto'
import type { TrustedProxies } from './client-address.ts'

/**
 * The ids that a load balancer may send: long enough for a UUID or a trace id, and safe in a header
 * and a log line.
 */
const form = /^[\w.:+=/-]{1,128}$/

/** Gives each request an id for its answer and its log lines. */
export class RequestIds {
  readonly #trusted: TrustedProxies

  constructor(trusted: TrustedProxies) {
    this.#trusted = trusted
  }

  /**
   * The `X-Request-Id` of a trusted proxy, else a new UUID: other clients could forge log lines.
   */
  of(peer: string | undefined, sent: string | undefined): string {
    if (sent === undefined || peer === undefined) return randomUUID()
    return form.test(sent) && this.#trusted.has(peer) ? sent : randomUUID()
  }
}
