import { z } from 'zod'

/** Every error the service answers with (contract 1.2): its status, when it comes and what the caller can do. */
export const errorCodes = {
  invalid_parameter: {
    statuses: [400],
    when: 'A parameter has a value that is not allowed, or is not one of the operation; `parameter` names it.',
    remedy: 'Correct the request; the message says what is allowed.',
  },
  bad_request: {
    statuses: [400, 408],
    when: 'What arrived is no HTTP request, or did not arrive in time.',
    remedy: 'Send a whole HTTP/1.1 request.',
  },
  invalid_key: {
    statuses: [401],
    when: 'The key is missing, malformed, unknown or disabled.',
    remedy: 'Send `Authorization: Bearer <API_KEY>` with a key in force.',
  },
  not_found: {
    statuses: [404],
    when: 'No such clip, word or path, or no changes since such a release.',
    remedy: 'Do not repeat the request; a clip may have been withdrawn.',
  },
  method_not_allowed: {
    statuses: [405],
    when: 'The path takes GET, HEAD and OPTIONS only.',
    remedy: 'Use a method that `Allow` lists.',
  },
  request_too_large: {
    statuses: [414, 431],
    when: 'The request line is over 8 KiB, or the headers over 16 KiB.',
    remedy: 'Send less.',
  },
  rate_limited: {
    statuses: [429],
    when: 'The minute window is spent.',
    remedy: 'Wait `retryAfter` seconds, with jitter, and repeat the request.',
  },
  quota_exceeded: {
    statuses: [429],
    when: 'The quota of the billing period is spent.',
    remedy: 'Stop until `periodEnd` of GET /usage, or change the plan.',
  },
  internal: {
    statuses: [500],
    when: 'A fault of ours.',
    remedy: 'Repeat the request later; it was not counted.',
  },
  unavailable: {
    statuses: [503],
    when: 'No release is loaded, its files cannot be read, or the counters cannot be reached.',
    remedy: 'Repeat the request later; it was not counted.',
  },
} as const satisfies Record<string, { statuses: readonly number[]; when: string; remedy: string }>

export type ErrorCode = keyof typeof errorCodes

/** The one envelope of every error. */
export const errorSchema = z
  .strictObject({
    error: z.strictObject({
      code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]),
      message: z.string().meta({ description: 'What was wrong and what is allowed, for a person to read.' }),
      parameter: z
        .string()
        .optional()
        .meta({ description: 'On 400 `invalid_parameter` only: the name of the parameter.' }),
      retryAfter: z
        .int()
        .min(1)
        .optional()
        .meta({ description: 'On 429 only: seconds to wait, the same as `Retry-After`.' }),
    }),
  })
  .meta({ id: 'Error' })
export type ErrorBody = z.infer<typeof errorSchema>

/** An error on its way to the caller: a value, not an exception. */
export interface ErrorAnswer {
  status: number
  code: ErrorCode
  message: string
  /** On 400 only. */
  parameter?: string
  /** Seconds, on 429 only. */
  retryAfterS?: number
  /** The methods that are allowed, on 405 only; told in the header `Allow`. */
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

/** The envelope, ready to serialise. */
export function toErrorBody(answer: ErrorAnswer): ErrorBody {
  const { code, message, parameter, retryAfterS } = answer
  return {
    error: {
      code,
      message,
      ...(parameter === undefined ? {} : { parameter }),
      ...(retryAfterS === undefined ? {} : { retryAfter: retryAfterS }),
    },
  }
}
