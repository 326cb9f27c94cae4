import { notFound, type ErrorAnswer, type ErrorCode } from '#contract/errors.ts'
import { quoteValue } from '#contract/quote-value.ts'
import { percentDecode } from '#kit/percent-decode.ts'
import type { QuotaState } from '#metering/store.ts'

/** The errors that the proxy sends before, or instead of, a look-up. */

/** Too many answers of an operation are being computed. */
export class TooBusy extends Error {
  constructor(path: string) {
    super(`too many responses for ${path} are being computed at once, so some requests are refused`)
  }
}

/** The server of the site does not respond. */
export class SiteUnreachable extends Error {
  constructor({ message }: Error) {
    super(`the site cannot be reached: ${message}`)
  }
}

/** The maximum size of the request line and of the header section (contract 1.2). */
export const maxRequestLineBytes = 8 * 1024
export const maxHeadersBytes = 16 * 1024

/** The methods of every path of the API. */
export const allowedMethods = 'GET, HEAD, OPTIONS'

export const requestLineTooLong = tooLarge(414, 'The request line', maxRequestLineBytes)
export const headersTooLarge = tooLarge(431, 'The headers', maxHeadersBytes)

function tooLarge(status: 414 | 431, what: string, maxBytes: number): ErrorAnswer {
  return refusal(status, 'request_too_large', `${what} must have at most ${maxBytes} bytes.`)
}

function refusal(status: number, code: ErrorCode, message: string): ErrorAnswer {
  return { status, code, message }
}

export const invalidKey = refusal(
  401,
  'invalid_key',
  'The key is missing, malformed, unknown, expired or disabled. Send a valid key as "Authorization: Bearer <API_KEY>".',
)

export const noHost = badRequest(400, 'An HTTP/1.1 request must have exactly one Host header.')

export const unknownCoding = badRequest(400, 'The Transfer-Encoding of a request must be chunked.')

export function badRequest(status: 400 | 408, message: string): ErrorAnswer {
  return refusal(status, 'bad_request', message)
}

export const tooManyConnections = unavailable('Too many connections are open. Try again later.')
export const noRelease = unavailable('No release of the corpus is loaded. Try again later.')
export const noStore = unavailable(
  'The counters cannot be reached, so the request cannot be metered. Try again later.',
)

export function unknownPlan(plan: string): ErrorAnswer {
  return unavailable(
    `The account is on the plan ${quoteValue(plan)}, which does not exist on this service. Contact the operator.`,
  )
}

export const internal = refusal(
  500,
  'internal',
  'The service failed, and the request was not counted. Try again later.',
)
export const noOrigin = unavailable('The files of the release cannot be read. Try again later.')
export const tooBusy = unavailable(
  'Too many responses of this kind are being computed. Try again in a few seconds.',
)
export const noSite = unavailable('The site cannot be reached. Try again later.')

function unavailable(message: string): ErrorAnswer {
  return refusal(503, 'unavailable', message)
}

export function unknownPath(path: string): ErrorAnswer {
  const text = percentDecode(path, { plusIsSpace: false }) ?? path
  return notFound(`There is nothing at ${quoteValue(text)}. GET /v1/openapi.json lists the paths.`)
}

export function methodNotAllowed(method: string, allow = allowedMethods): ErrorAnswer {
  return {
    status: 405,
    code: 'method_not_allowed',
    message: `${quoteValue(method)} is not allowed here. Use ${allow}.`,
    allow,
  }
}

export function rateLimited(retryAfterS: number): ErrorAnswer {
  const message = `The rate limit for this minute has been reached. Try again in ${retryAfterS} s.`
  return { status: 429, code: 'rate_limited', message, retryAfterS }
}

export function quotaExceeded({ plan, period }: QuotaState, retryAfterS: number): ErrorAnswer {
  const end = new Date(period.endMs).toISOString()
  const message = `This account has used all ${plan.perPeriod} look-ups of the ${plan.name} plan in this period. The next period begins on ${end.slice(0, 10)} at ${end.slice(11, 16)} UTC.`
  return { status: 429, code: 'quota_exceeded', message, retryAfterS }
}
