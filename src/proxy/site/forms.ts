import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { describeFault, type ParseError } from '../http/parse-error.ts'
import { BrokenBody, readBody } from '../http/request-body.ts'
import { isCrossOrigin } from './cross-origin.ts'

const maxFormBytes = 16 * 1024

/** What the page that answers a form shows, and how it is sent. */
export interface FormAnswer<Page> {
  status: number
  page: Page
  retryAfterS?: number
  /** The rest of the request is not read, so the connection must be closed. */
  isLast?: boolean
}

/** What is wrong with a form, as a sentence. */
export type FormFault = FormAnswer<{ fault: string }>

/** Reads a form as browsers send it, unless another site sent it. */
export async function readForm(req: IncomingMessage): Promise<URLSearchParams | FormFault> {
  const fault = faultOf(req.headers)
  if (fault) return fault
  try {
    const body = await readBody(req)
    const isForm = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(req.headers['content-type'] ?? '')
    return isForm ? new URLSearchParams(body.toString()) : unreadable
  } catch (error) {
    if (!(error instanceof BrokenBody)) throw error
    const status = describeFault(error.cause as ParseError)?.error.status ?? 400
    return { ...unreadable, status, isLast: true }
  }
}

/** The answer to a form that lacks what it should have. */
export const unreadable: FormFault = {
  status: 400,
  page: { fault: 'The form could not be read. Fill it in again.' },
}

/** Why a form must not be read, by its headers; null if it may. */
function faultOf(headers: IncomingHttpHeaders): FormFault | null {
  if (isCrossOrigin(headers))
    return { status: 403, page: { fault: 'The form was sent from another site. Fill it in here instead.' } }
  // The length must be known before reading (RFC 9110 section 15.5.12).
  if (headers['transfer-encoding'] !== undefined)
    return { status: 411, page: { fault: 'The form must have a Content-Length.' }, isLast: true }
  return Number(headers['content-length'] ?? 0) > maxFormBytes
    ? { status: 413, page: { fault: 'The form is too large.' }, isLast: true }
    : null
}
