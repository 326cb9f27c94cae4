import type { KnownErrorCode } from './operations.ts'

/**
 * The codes of the service, which can add more, and those of the client: `network` (no response
 * arrived), `timeout` (the deadline passed) and `bad_response` (the response is not from the API).
 */
export type ErrorCode = KnownErrorCode | 'network' | 'timeout' | 'bad_response' | (string & {})

/** The parts of an error besides its code and message. */
export interface ErrorDetails {
  /** The status of the response; 0 without a response. */
  status?: number | undefined
  /** The parameter that is wrong, with `invalid_parameter`. */
  parameter?: string | undefined
  /** The seconds after which a call can succeed, with `rate_limited` and `quota_exceeded`. */
  retryAfter?: number | undefined
  /** The headers of the response. */
  headers?: Headers | undefined
  cause?: unknown
}

/** The failure of a call. Check `code`, or call `is` with a code. */
export class ClipLookupError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'ClipLookupError'
  readonly code: Code
  readonly status: number
  readonly parameter: Code extends 'invalid_parameter' ? string : string | undefined
  readonly retryAfter: Code extends 'rate_limited' | 'quota_exceeded' ? number : number | undefined
  /** The `X-Request-Id` of the response, for questions to the operator. */
  readonly requestId: string | undefined
  readonly headers: Headers | undefined

  constructor(code: Code, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause })
    this.code = code
    this.status = details.status ?? 0
    this.parameter = details.parameter as this['parameter']
    this.retryAfter = details.retryAfter as this['retryAfter']
    this.headers = details.headers
    this.requestId = details.headers?.get('X-Request-Id') ?? undefined
  }

  /** Whether the error has this code. */
  is<Candidate extends ErrorCode>(code: Candidate): this is ClipLookupError<Candidate> {
    return (this.code as ErrorCode) === code
  }
}
