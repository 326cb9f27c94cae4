import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a browser sends this for a page of another origin. Every browser since 2023 sends
 * `Sec-Fetch-Site` (https://www.w3.org/TR/fetch-metadata/); for older ones `Origin` is compared
 * with `Host`. A client that sends neither is not a browser, so no other page can use it.
 */
export function isCrossOrigin({ 'sec-fetch-site': site, origin, host }: IncomingHttpHeaders): boolean {
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  if (origin === undefined) return false
  return !URL.canParse(origin) || new URL(origin).host !== host
}
