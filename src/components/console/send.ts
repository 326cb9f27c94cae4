import { shownHeaders } from '#site/shown-headers.ts'
import { targetOf } from '#site/target-of.ts'
import type { ConsoleAnswer, ConsoleRequest } from './console-data.ts'

/** What the status line says of an answer that came over the network. */
export const liveSource = 'live response'

/**
 * Sends a request to the service of this origin. A request that fails gives an answer with status
 * 0.
 */
export async function send({ operation, parameters }: ConsoleRequest, key: string): Promise<ConsoleAnswer> {
  try {
    const headers: Record<string, string> = operation.isKeyed ? { Authorization: `Bearer ${key}` } : {}
    const response = await fetch(targetOf(operation.path, parameters), { cache: 'no-store', headers })
    return {
      status: response.status,
      headers: shownHeaders(response.headers),
      body: await response.json(),
      source: liveSource,
    }
  } catch (error) {
    const source = `the request failed: ${(error as Error).message}`
    return { status: 0, headers: {}, body: null, source }
  }
}
