import { z } from 'zod'
import described from './errors.json' with { type: 'json' }

/** The errors, keyed by code: their statuses, when they are sent, and what the caller can do. */
export const errorCodes = described

export type ErrorCode = keyof typeof errorCodes

const codeDescription = `The kind of error. Programs should check \`code\`, not \`message\`. Codes may be added. The known codes are ${new Intl.ListFormat('en-GB').format(Object.keys(errorCodes).map((code) => `\`${code}\``))}.`

/** The body of every error. */
export const errorSchema = z
  .strictObject({
    error: z
      .strictObject({
        code: z.string().meta({ description: codeDescription, example: 'invalid_parameter' }),
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

/** An error response, as a value that is returned rather than thrown. */
export interface ErrorAnswer {
  status: number
  code: ErrorCode
  message: string
  /** Only for 400. */
  parameter?: string
  /** Seconds; only for 429. */
  retryAfterS?: number
  /** The allowed methods, sent in the header `Allow`; only for 405. */
  allow?: string
}

/** Returns a 400 for a parameter. `message` consists of sentences. */
export function invalidParameter(parameter: string, message: string): ErrorAnswer {
  return { status: 400, code: 'invalid_parameter', message, parameter }
}

export function notFound(message: string): ErrorAnswer {
  return { status: 404, code: 'not_found', message }
}

export function isError(result: object): result is ErrorAnswer {
  return 'status' in result
}

export function toErrorBody({ code, message, parameter, retryAfterS }: ErrorAnswer): ErrorBody {
  return { error: { code, message, parameter, retryAfter: retryAfterS } }
}

/** The page that explains all errors, with an anchor for each code. */
export const errorsPath = '/guides/errors/'
