import { randomUUID } from 'node:crypto'
import type { TrustedProxies } from './client-address.ts'

/**
 * What a load balancer may name a request: long enough for a UUID or a trace id, and safe in a
 * header and a log line.
 */
const form = /^[\w.:+=/-]{1,128}$/

/** Gives a request the id that names it in the answer and in every log line. */
export class RequestIds {
  readonly #trusted: TrustedProxies

  constructor(trusted: TrustedProxies) {
    this.#trusted = trusted
  }

  /**
   * The `X-Request-Id` that a trusted proxy sent, else a new UUID: anybody else could forge lines
   * of the log.
   */
  of(peer: string | undefined, sent: string | undefined): string {
    if (sent === undefined || peer === undefined) return randomUUID()
    return form.test(sent) && this.#trusted.has(plainPeer(peer)) ? sent : randomUUID()
  }
}

/** A dual-stack socket shows an IPv4 peer as `::ffff:10.0.0.1`. */
function plainPeer(peer: string): string {
  return peer.replace(/^::ffff:(?=\d+\.)/i, '')
}
