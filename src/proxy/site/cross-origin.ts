import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a browser sends this for a page of another origin. `Sec-Fetch-Site` tells it in every
 * browser since 2023 (https://www.w3.org/TR/fetch-metadata/); before, `Origin` does, held against
 * `Host`. What sends neither is no browser, and lends nobody's authority.
 */
export function isCrossOrigin({ 'sec-fetch-site': site, origin, host }: IncomingHttpHeaders): boolean {
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  if (origin === undefined) return false
  return !URL.canParse(origin) || new URL(origin).host !== host
}
