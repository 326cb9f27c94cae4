import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { percentDecode } from '#kit/percent-decode.ts'
import { NotThere, type AdminContext } from '#metering/administer.ts'
import { NameTaken, StoreUnavailable } from '#metering/store.ts'
import { adminBase, adminOpenApi } from './openapi.ts'
import { adminOperations, type AdminOperation } from './operations.ts'

/** The admin API: who may use it, and what it works with. */
export interface AdminApi {
  token: string
  context: AdminContext
  log: { error(context: object, message: string): void }
}

interface AdminAnswer {
  status: number
  body: unknown
}

const maxBodyBytes = 16 * 1024

/** A refusal, as a status and an error of the envelope. */
class Refused extends Error {
  readonly answer: AdminAnswer
  constructor(status: number, code: string, message: string) {
    super(message)
    this.answer = { status, body: { error: { code, message } } }
  }
}

/** Answers a request below `/admin/v1`. The token is checked first: without it, it says nothing. */
export async function answerAdmin(req: IncomingMessage, api: AdminApi): Promise<AdminAnswer> {
  try {
    checkToken(req.headers.authorization, api.token)
    const url = new URL(req.url!, 'http://admin')
    const path = url.pathname.slice(adminBase.length)
    if (path === '/openapi.json' && req.method === 'GET') return { status: 200, body: adminOpenApi() }
    const { operation, name } = match(req.method!, path)
    const query = parsed(operation.query, Object.fromEntries(url.searchParams), 'the query')
    const body = operation.body ? parsed(operation.body, await readJson(req), 'the body') : undefined
    const result = await operation.run({ context: api.context, name, body, query })
    return { status: operation.status ?? 200, body: result }
  } catch (error) {
    return answerTo(error as Error, api)
  }
}

/** @throws {Refused} */
function checkToken(header: string | undefined, token: string): void {
  const given = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? ''
  const digest = (text: string) => createHash('sha256').update(text).digest()
  if (!timingSafeEqual(digest(given), digest(token)))
    throw new Refused(
      401,
      'invalid_token',
      'send the token of --admin-token as "Authorization: Bearer <TOKEN>"',
    )
}

/** @throws {Refused} no such path or method */
function match(method: string, path: string): { operation: AdminOperation; name: string } {
  const found = adminOperations.filter((row) => pattern(row).test(path))
  if (found.length === 0) throw new Refused(404, 'not_found', 'there is nothing at this path')
  const operation = found.find((row) => row.method === method)
  if (!operation)
    throw new Refused(405, 'method_not_allowed', `use ${found.map((row) => row.method).join(' or ')}`)
  const name = percentDecode(pattern(operation).exec(path)![1] ?? '', { plusIsSpace: false })
  if (name === null) throw new Refused(400, 'bad_request', 'the path has a bad percent-encoding')
  return { operation, name }
}

function pattern({ path }: AdminOperation): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/, '([^/]+)')}$`)
}

/** @throws {Refused} it is no JSON, or too large */
async function readJson(req: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of req as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length
    if (sizeBytes > maxBodyBytes) throw new Refused(413, 'bad_request', 'the body is larger than 16 KiB')
    chunks.push(chunk)
  }
  try {
    return sizeBytes === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString())
  } catch (error) {
    throw new Refused(400, 'bad_request', `the body is not JSON: ${(error as Error).message}`)
  }
}

/** @throws {Refused} it is not what the schema says */
function parsed(schema: AdminOperation['body'], value: unknown, what: string): unknown {
  if (!schema) return undefined
  const { data, error } = schema.safeParse(value)
  if (!error) return data
  const { path, message } = error.issues[0]!
  throw new Refused(400, 'bad_request', `${what}: ${[path.join('.'), message].filter(Boolean).join(': ')}`)
}

function answerTo(error: Error, { log }: AdminApi): AdminAnswer {
  if (error instanceof Refused) return error.answer
  const refused = (status: number, code: string) => new Refused(status, code, error.message).answer
  if (error instanceof StoreUnavailable) return refused(503, 'unavailable')
  if (error instanceof NotThere) return refused(404, 'not_found')
  // Use cases refuse with plain errors, whose message is for the user.
  if (error instanceof NameTaken || error.constructor === Error) return refused(409, 'refused')
  if (error instanceof RangeError) return refused(400, 'bad_request')
  log.error({ err: error }, 'a request of the admin API failed')
  return new Refused(500, 'internal', 'the service failed').answer
}
