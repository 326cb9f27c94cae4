import { toDate } from '#contract/dates.ts'
import { notFound, type ErrorAnswer, type ErrorCode } from '#contract/errors.ts'
import { quoteValue } from '#contract/quote-value.ts'
import { percentDecode } from '#kit/percent-decode.ts'
import type { QuotaState } from '#metering/store.ts'

/** The errors that the proxy answers with before, or instead of, a look-up. */

/** The error for an answer of an operation of which too many are being made. */
export class TooBusy extends Error {
  constructor(path: string) {
    super(`too many answers of ${path} are being made at once: some requests are refused`)
  }
}

/** The longest request line and the largest header section that are read (contract 1.2). */
export const maxRequestLineBytes = 8 * 1024
export const maxHeadersBytes = 16 * 1024

/** The methods of every path of the API. */
export const allowedMethods = 'GET, HEAD, OPTIONS'

export const requestLineTooLong = tooLarge(414, 'the request line', maxRequestLineBytes)
export const headersTooLarge = tooLarge(431, 'the headers', maxHeadersBytes)

function tooLarge(status: 414 | 431, what: string, maxBytes: number): ErrorAnswer {
  return refusal(status, 'request_too_large', `${what} must have at most ${maxBytes} bytes`)
}

function refusal(status: number, code: ErrorCode, message: string): ErrorAnswer {
  return { status, code, message }
}

export const invalidKey = refusal(
  401,
  'invalid_key',
  'send a valid key as "Authorization: Bearer <API_KEY>": the key is missing, malformed, unknown or disabled',
)

export const noHost = badRequest(400, 'an HTTP/1.1 request must have one Host header')

export const unknownCoding = badRequest(400, 'the only Transfer-Encoding of a request can be chunked')

export function badRequest(status: 400 | 408, message: string): ErrorAnswer {
  return refusal(status, 'bad_request', message)
}

export const tooManyConnections = unavailable('too many connections are open: try again later')
export const noRelease = unavailable('no release of the corpus is loaded: try again later')
export const noStore = unavailable(
  'the counters cannot be reached, so the request cannot be metered: try again later',
)

export function unknownPlan(plan: string): ErrorAnswer {
  return unavailable(`the account is on the plan ${quoteValue(plan)}, which this service does not have`)
}

export const internal = refusal(500, 'internal', 'the service failed; the request was not counted')
export const noOrigin = unavailable('the files of the release cannot be read: try again later')
export const tooBusy = unavailable('too many such answers are being made: try again in a few seconds')
export const noSite = unavailable('the site cannot be reached: try again later')

function unavailable(message: string): ErrorAnswer {
  return refusal(503, 'unavailable', message)
}

/** The path is decoded, because only then can a key in it be recognised and hidden. */
export function unknownPath(path: string): ErrorAnswer {
  const text = percentDecode(path, { plusIsSpace: false })
  return notFound(
    `there is no resource at ${text === null ? 'this path' : quoteValue(text)}: GET /v1/openapi.json lists the paths`,
  )
}

export function methodNotAllowed(method: string, allow = allowedMethods): ErrorAnswer {
  return {
    status: 405,
    code: 'method_not_allowed',
    message: `${quoteValue(method)} is not allowed here: use ${allow}`,
    allow,
  }
}

export function rateLimited(retryAfterS: number): ErrorAnswer {
  const message = `the rate limit for this minute is reached: wait ${retryAfterS} s and repeat the request`
  return { status: 429, code: 'rate_limited', message, retryAfterS }
}

export function quotaExceeded({ plan, period }: QuotaState, retryAfterS: number): ErrorAnswer {
  const until = toDate(period.endMs)
  const message = `the ${plan.perPeriod} look-ups of the ${plan.name} plan are used up until ${until}: change the plan or wait until then`
  return { status: 429, code: 'quota_exceeded', message, retryAfterS }
}
