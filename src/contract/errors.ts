import { z } from 'zod'

/**
 * Every error of the service (contract 1.2): its statuses, when it is sent, and what the caller can
 * do.
 */
export const errorCodes = {
  invalid_parameter: {
    statuses: [400],
    when: 'A parameter is unknown, is missing, or has a value that is not allowed. `parameter` contains the name of this parameter.',
    remedy: 'Correct the request. The message describes the allowed values.',
  },
  bad_request: {
    statuses: [400, 408],
    when: 'The service received something other than an HTTP request, or did not receive the complete request in time.',
    remedy: 'Send a complete HTTP/1.1 request.',
  },
  invalid_key: {
    statuses: [401],
    when: 'The key is missing, malformed, unknown, expired or disabled.',
    remedy: 'Send `Authorization: Bearer <API_KEY>` with a valid key.',
  },
  not_found: {
    statuses: [404],
    when: 'The clip, word or path does not exist, or the service has no record of the changes since the given release.',
    remedy: 'Do not repeat the request. The clip may have been withdrawn.',
  },
  method_not_allowed: {
    statuses: [405],
    when: 'The path accepts only GET, HEAD and OPTIONS.',
    remedy: 'Use a method that the `Allow` header lists.',
  },
  request_too_large: {
    statuses: [414, 431],
    when: 'The request line is longer than 8 KiB, or the headers are longer than 16 KiB.',
    remedy: 'Send a shorter request.',
  },
  rate_limited: {
    statuses: [429],
    when: 'The key, or the address of a client without a key, has no requests left in this minute.',
    remedy: 'Wait `retryAfter` seconds plus a random delay, then repeat the request.',
  },
  quota_exceeded: {
    statuses: [429],
    when: 'The account has no look-ups left in this billing period.',
    remedy: 'Wait until `periodEnd`, which `GET /usage` returns, or change to a larger plan.',
  },
  internal: {
    statuses: [500],
    when: 'An unexpected error occurred in the service.',
    remedy: 'Repeat the request later. The failed request did not count towards the quota.',
  },
  unavailable: {
    statuses: [503],
    when: 'No release is in service, the files of the release cannot be read, or the store is unreachable.',
    remedy: 'Repeat the request later. The failed request did not count towards the quota.',
  },
} as const satisfies Record<string, { statuses: readonly number[]; when: string; remedy: string }>

export type ErrorCode = keyof typeof errorCodes

/** The one envelope of every error. */
export const errorSchema = z
  .strictObject({
    error: z.strictObject({
      code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]),
      message: z
        .string()
        .meta({ description: 'A human-readable explanation of what is wrong and what is allowed.' }),
      parameter: z
        .string()
        .optional()
        .meta({ description: 'The name of the parameter. Present only on 400 `invalid_parameter`.' }),
      retryAfter: z
        .int()
        .min(1)
        .optional()
        .meta({ description: 'Number of seconds to wait, as in `Retry-After`. Present only on 429.' }),
    }),
  })
  .meta({ id: 'Error' })
export type ErrorBody = z.infer<typeof errorSchema>

/** An error as a value: not an exception. */
export interface ErrorAnswer {
  status: number
  code: ErrorCode
  message: string
  /** On 400 only. */
  parameter?: string
  /** Seconds, on 429 only. */
  retryAfterS?: number
  /** The methods that are allowed, on 405 only; sent in the header `Allow`. */
  allow?: string
}

/** 400: one parameter is wrong. `message` is a whole sentence without a full stop. */
export function invalidParameter(parameter: string, message: string): ErrorAnswer {
  return { status: 400, code: 'invalid_parameter', message, parameter }
}

/** 404: nothing there. */
export function notFound(message: string): ErrorAnswer {
  return { status: 404, code: 'not_found', message }
}

/**
 * The envelope, ready to serialise. `siteUrl` is the address of the site, if there is one: its
 * guide explains every code.
 */
export function toErrorBody(answer: ErrorAnswer, siteUrl: string | null = null): ErrorBody {
  const { code, parameter, retryAfterS } = answer
  const link = siteUrl === null ? '' : ` (see ${siteUrl}${errorsPath}#${code})`
  return { error: { code, message: answer.message + link, parameter, retryAfter: retryAfterS } }
}

/** The page of the site that explains every error, under its code. */
const errorsPath = '/guides/errors/'
