import { STATUS_CODES, type ServerResponse } from 'node:http'

/** Header fields (name, value, name, value …) as the lines of a head. */
export function linesOf(fields: readonly string[]): string {
  let lines = ''
  for (let i = 0; i < fields.length; i += 2) lines += `${fields[i]!}: ${fields[i + 1]!}\r\n`
  return lines
}

/**
 * What `writeHead` reads and leaves behind in a response, by the names of Node 26: a test holds
 * what is sent against what Node sends.
 */
interface HeadState {
  _header: string
  _last: boolean
  _expect_continue?: boolean
  _sent100?: boolean
}

/**
 * Does for a response with a length what `ServerResponse.writeHead` does, with its fields as lines.
 * Node matches every name and value of every response against two regular expressions, a tenth of
 * what a request costs here; ours are constants, numbers and digests.
 */
export function writeHead(res: ServerResponse, status: number, lines: string): void {
  const state = res as unknown as HeadState
  res.statusCode = status
  // A client that asked whether to go on may send its body behind the answer: what comes next on
  // its connection is nobody's request.
  if (state._expect_continue && !state._sent100) res.shouldKeepAlive = false
  if (!res.shouldKeepAlive) state._last = true
  const connection = res.shouldKeepAlive ? keepAliveLines(res) : 'Connection: close\r\n'
  state._header = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}${dateLine()}${connection}\r\n`
}

function keepAliveLines(res: ServerResponse): string {
  const { _keepAliveTimeout: timeoutMs } = res as unknown as { _keepAliveTimeout: number }
  return `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(timeoutMs / 1000)}\r\n`
}

/** The `Date` of this second (RFC 9110 section 6.6.1); empty where it is to be made anew. */
let date = ''

function dateLine(): string {
  if (date === '') {
    const now = new Date()
    date = `Date: ${now.toUTCString()}\r\n`
    setTimeout(() => (date = ''), 1000 - now.getMilliseconds()).unref()
  }
  return date
}
