import { errorCodes, toErrorBody, type ErrorCode } from '#contract/errors.ts'
import { anyRequestCodes } from '#contract/openapi.ts'
import { operations, type OperationId } from '#contract/operations.ts'
import { refusalOf } from '../samples.ts'
import { documentedOperation } from './schema.ts'

const notModified =
  'Your copy is current: the `ETag` that you sent in `If-None-Match` still matches. The response has no body.'

/**
 * Lists the responses of an operation other than 200: the causes of each status, and an example of
 * its body, which is null if it has none.
 */
export function responsesOf(id: OperationId) {
  const { codes } = operations.find((operation) => operation.id === id)!
  const [, ...statuses] = Object.keys(documentedOperation(id).responses!).map(Number)
  return statuses.map((status) => {
    if (status === 304) return { status, causes: [{ code: null, when: notModified }], body: null }
    const fitting = [...codes, ...anyRequestCodes].filter((code) =>
      errorCodes[code].statuses.includes(status),
    )
    const causes = fitting.map((code) => ({ code, when: errorCodes[code].when }))
    return { status, causes, body: refusalOf(fitting[0]!, id)?.body ?? composeExample(fitting[0]!) }
  })
}

/** The body of an error that cannot be recorded on demand. */
function composeExample(code: ErrorCode): unknown {
  const { when, statuses } = errorCodes[code]
  const message = when.split(/(?<=\.) /)[0]!.replace(/\.$/, '')
  return toErrorBody({ status: statuses[0]!, code, message })
}
