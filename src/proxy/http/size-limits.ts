import type { ErrorAnswer } from '#contract/errors.ts'
import type { RequestHeaders } from './request-headers.ts'

/** The longest request line and the largest header section that are read (contract 1.2). */
export const maxRequestLineBytes = 8 * 1024
export const maxHeadersBytes = 16 * 1024

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

/** What is too large about a request that was read; null where nothing is. */
export function sizeFault(method: string, url: string, headers: RequestHeaders): ErrorAnswer | null {
  if (method.length + ' '.length + url.length + ' HTTP/1.1'.length > maxRequestLineBytes)
    return requestLineTooLong
  return headers.sizeBytes > maxHeadersBytes ? headersTooLarge : null
}
