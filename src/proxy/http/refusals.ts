import { toDate } from '#contract/dates.ts'
import { notFound, type ErrorAnswer } from '#contract/errors.ts'
import { quoteValue } from '#contract/quote-value.ts'
import { percentDecode } from '#kit/percent-decode.ts'
import type { Decision } from '#metering/store.ts'

/** The errors that the proxy answers with before, or instead of, a look-up. */

/** The longest request line and the largest header section that are read (contract 1.2). */
export const maxRequestLineBytes = 8 * 1024
export const maxHeadersBytes = 16 * 1024

/** The methods of every path of the API. */
export const allowedMethods = 'GET, HEAD, OPTIONS'

export const requestLineTooLong: ErrorAnswer = {
  status: 414,
  code: 'request_too_large',
  message: `the request line must have at most ${maxRequestLineBytes} bytes`,
}

export const headersTooLarge: ErrorAnswer = {
  status: 431,
  code: 'request_too_large',
  message: `the headers must have at most ${maxHeadersBytes} bytes`,
}

export const invalidKey: ErrorAnswer = {
  status: 401,
  code: 'invalid_key',
  message:
    'send a valid key as "Authorization: Bearer <API_KEY>": the key is missing, malformed, unknown or disabled',
}

export const noHost = badRequest(400, 'an HTTP/1.1 request must have one Host header')

export function badRequest(status: 400 | 408, message: string): ErrorAnswer {
  return { status, code: 'bad_request', message }
}

export const tooManyConnections = unavailable('too many connections are open: try again later')
export const noRelease = unavailable('no release of the corpus is loaded: try again later')
export const noStore = unavailable(
  'the counters cannot be reached, so the request cannot be metered: try again later',
)

export function unknownPlan(plan: string): ErrorAnswer {
  return unavailable(`the account is on the plan ${quoteValue(plan)}, which this service does not have`)
}

export const internal: ErrorAnswer = {
  status: 500,
  code: 'internal',
  message: 'the service failed; the request was not counted',
}

export const noOrigin = unavailable('the files of the release cannot be read: try again later')
export const noSite = unavailable('the site cannot be reached: try again later')

function unavailable(message: string): ErrorAnswer {
  return { status: 503, code: 'unavailable', message }
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

export function quotaExceeded({
  quota,
  retryAfterS,
}: Extract<Decision, { outcome: 'quota_exceeded' }>): ErrorAnswer {
  const until = toDate(quota.periodEndMs)
  return {
    status: 429,
    code: 'quota_exceeded',
    message: `the ${quota.limit} look-ups of the ${quota.plan} plan are used up until ${until}: change the plan or wait until then`,
    retryAfterS,
  }
}
