import type { ErrorBody } from '#contract/errors.ts'
import { targetOf } from '#site/target-of.ts'
import { sessionKey } from './session-key.ts'

/** How many look-ups the requests of this page have cost. */
let lookUps = 0

/**
 * Asks the service with the key of this tab, and shows in the elements with `data-look-ups` what
 * that has cost.
 *
 * @throws {Error} no answer came
 */
export async function askService<T extends object>(
  path: string,
  parameters: Record<string, string>,
  signal?: AbortSignal,
): Promise<T | ErrorBody> {
  const target = targetOf(`/v1${path}`, parameters)
  const headers = { Authorization: `Bearer ${sessionKey()}` }
  const response = await fetch(target, { headers, signal })
  const body = (await response.json()) as T | ErrorBody
  if ([200, 404].includes(response.status) && !isFromCache(target)) countLookUp()
  return body
}

function countLookUp(): void {
  lookUps++
  for (const note of document.querySelectorAll<HTMLElement>('[data-look-ups]')) {
    note.hidden = false
    note.textContent = `Look-ups used on this page: ${lookUps}`
  }
}

/** Whether the browser had the last answer to a request already, which costs nothing. */
function isFromCache(target: string): boolean {
  const entry = performance.getEntriesByName(new URL(target, location.href).href).at(-1)
  return (entry as PerformanceResourceTiming | undefined)?.transferSize === 0
}

/** The answer, unless it is an error. @throws {Error} with the message of the service */
export function unlessError<T extends object>(body: T | ErrorBody): T {
  if ('error' in body) throw new Error(body.error.message)
  return body
}
