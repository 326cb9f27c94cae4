import type { ConsoleAnswer, ConsoleRequest } from './console-data.ts'
import { targetOf } from './request-target.ts'

/** The headers of a live answer that are shown: those that any origin may read. */
const shownHeaders = [
  'content-type',
  'cache-control',
  'etag',
  'retry-after',
  'www-authenticate',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
]

/** What the status line says of an answer that came over the network. */
export const liveSource = 'live answer'

/**
 * Sends a request to the service of this origin. A request that fails gives an answer with status
 * 0.
 */
export async function send(request: ConsoleRequest, key: string): Promise<ConsoleAnswer> {
  try {
    const headers: Record<string, string> = request.operation.isKeyed
      ? { Authorization: `Bearer ${key}` }
      : {}
    const response = await fetch(targetOf(request), { cache: 'no-store', headers })
    const shown = shownHeaders.flatMap((name) => {
      const value = response.headers.get(name)
      return value === null ? [] : [[name, value] as const]
    })
    return {
      status: response.status,
      headers: Object.fromEntries(shown),
      body: await response.json(),
      source: liveSource,
    }
  } catch (error) {
    const source = `the request failed: ${(error as Error).message}`
    return { status: 0, headers: {}, body: null, source }
  }
}
