import { z } from 'zod'
import described from './errors.json' with { type: 'json' }

/**
 * Every error of the service (contract 1.2): its statuses, when it is sent, and what the caller can
 * do.
 */
export const errorCodes = described

export type ErrorCode = keyof typeof errorCodes

/** The one envelope of every error. */
export const errorSchema = z
  .strictObject({
    error: z
      .strictObject({
        code: z
          .enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]])
          .meta({ description: 'The kind of error. Programs should check `code`, not `message`.' }),
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
      })
      .meta({ description: 'What went wrong.' }),
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
