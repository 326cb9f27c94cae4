import { publicOperations, type OperationId } from '#client/operations.ts'
import type { ErrorBody } from '#contract/errors.ts'
import { shownHeaders } from '#site/build/shown-headers.ts'
import { targetOf } from '#site/target-of.ts'

/** A request: an operation, and the parameters for its path and query. */
export type Request = [id: OperationId, parameters: Record<string, string>]

/** A response of the service; a body of type `T` comes with status 200. */
export interface Answer<T = object> {
  status: number
  /** The headers that pages show. */
  headers: Record<string, string>
  body: T | ErrorBody
}

/**
 * The key that the pages of this tab share. Session storage ends with the tab and is not sent
 * anywhere; the key is in no address, cookie or other storage.
 */
const storageName = 'clip-lookup-key'

/** The key of this tab, or an empty text. */
export function sessionKey(): string {
  return sessionStorage.getItem(storageName) ?? ''
}

/** Stores a key for the pages of this tab; an empty text removes it. */
export function keepSessionKey(key: string): void {
  if (key === '') sessionStorage.removeItem(storageName)
  else sessionStorage.setItem(storageName, key)
}

/** Returns the key as pages show it: its beginning and its end. */
export function maskKey(key: string): string {
  return key.length > 12 ? `${key.slice(0, 4)}…${key.slice(-4)}` : '…'
}

/** Sends a request, with the key of this tab if needed. @throws {Error} no response arrived */
export async function send<T = object>([id, parameters]: Request, init?: RequestInit): Promise<Answer<T>> {
  const isPublic = publicOperations.includes(id)
  const headers: Record<string, string> = isPublic ? {} : { Authorization: `Bearer ${sessionKey()}` }
  const response = await fetch(targetOf(id, parameters), { ...init, headers })
  const body = (await response.json()) as T | ErrorBody
  return { status: response.status, headers: shownHeaders(response.headers), body }
}

/** The number of look-ups that the requests of this page have cost. */
let lookUps = 0

/**
 * Sends a request like `send`, but returns only the body. Shows the number of look-ups that this
 * page has used in the elements with `data-look-ups`.
 */
export async function ask<T extends object>(request: Request, signal?: AbortSignal): Promise<T | ErrorBody> {
  const { status, body } = await send<T>(request, signal && { signal })
  if ([200, 404].includes(status) && !isFromCache(targetOf(...request))) {
    lookUps++
    for (const note of document.querySelectorAll<HTMLElement>('[data-look-ups]')) {
      note.hidden = false
      note.textContent = `Look-ups used on this page: ${lookUps}`
    }
  }
  return body
}

/** Whether the browser already had the last response to a request, which costs nothing. */
function isFromCache(target: string): boolean {
  const entry = performance.getEntriesByName(new URL(target, location.href).href).at(-1)
  return (entry as PerformanceResourceTiming | undefined)?.transferSize === 0
}

/** Returns the body, unless it is an error. @throws {Error} with the message of the service */
export function unlessError<T extends object>(body: T | ErrorBody): T {
  if ('error' in body) throw new Error(body.error.message)
  return body
}
