import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { z } from 'zod'
import { sha256 } from '#kit/digest.ts'
import { percentDecode } from '#kit/percent-decode.ts'
import { toSentence } from '#kit/to-sentence.ts'
import type { AdminContext } from '#metering/administer.ts'
import { NameTaken, NotThere } from '#metering/directory.ts'
import { StoreUnavailable } from '#metering/store.ts'
import { adminBase, adminOpenApi } from './openapi.ts'
import { adminOperations, type AdminOperation } from './operations.ts'

/** The admin API: its users, and the store that it works on. */
export interface AdminApi {
  token: string
  context: AdminContext
  log: { error(context: object, message: string): void }
}

const maxBodyBytes = 16 * 1024

/** A refusal, with its status and the code of its envelope. */
class Refusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Answers a request below `/admin/v1`. Reveals nothing before the token has been checked. */
export async function answerAdmin(
  req: IncomingMessage,
  { token, context, log }: AdminApi,
): Promise<{ status: number; body: unknown }> {
  try {
    checkToken(req.headers.authorization, token)
    const { pathname, searchParams } = new URL(req.url!, 'http://admin')
    const path = pathname.slice(adminBase.length)
    if (path === '/openapi.json' && req.method === 'GET') return { status: 200, body: adminOpenApi() }
    const { operation, name } = match(req.method!, path)
    const query = parseInput(operation.query, Object.fromEntries(searchParams), 'the query')
    const body = parseInput(operation.body, operation.body && (await readJson(req)), 'the body')
    const record = await operation.run(context, { name, body, query: query as Record<string, unknown> })
    return { status: operation.status ?? 200, body: record }
  } catch (error) {
    const { status, code, message } = refusalOf(error as Error)
    if (status === 500) log.error({ err: error as Error }, 'a request to the admin API failed')
    return { status, body: { error: { code, message: toSentence(message) } } }
  }
}

function refusalOf(error: Error): Refusal {
  const { message } = error
  if (error instanceof Refusal) return error
  if (error instanceof StoreUnavailable) return new Refusal(503, 'unavailable', message)
  if (error instanceof NotThere) return new Refusal(404, 'not_found', message)
  if (error instanceof RangeError) return new Refusal(400, 'bad_request', message)
  // Use cases refuse with plain errors, whose messages are for the user.
  if (error instanceof NameTaken || error.constructor === Error) return new Refusal(409, 'refused', message)
  return new Refusal(500, 'internal', 'the service failed')
}

/** @throws {Refusal} */
function checkToken(header: string | undefined, token: string): void {
  const sentToken = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? ''
  if (timingSafeEqual(sha256(sentToken), sha256(token))) return
  const message =
    'the token is missing or wrong. Send the token of --admin-token as "Authorization: Bearer <TOKEN>"'
  throw new Refusal(401, 'invalid_token', message)
}

/** @throws {Refusal} there is no such path or method */
function match(method: string, path: string): { operation: AdminOperation; name: string } {
  const matchingOperations = adminOperations.filter(({ pattern }) => pattern.test(path))
  if (matchingOperations.length === 0) throw new Refusal(404, 'not_found', 'there is nothing at this path')
  const operation = matchingOperations.find((row) => row.method === method)
  if (!operation)
    throw new Refusal(
      405,
      'method_not_allowed',
      `this method is not allowed here. Use ${matchingOperations.map((row) => row.method).join(' or ')}`,
    )
  const name = percentDecode(operation.pattern.exec(path)![1] ?? '', { plusIsSpace: false })
  if (name === null) throw new Refusal(400, 'bad_request', 'the path contains invalid percent-encoding')
  return { operation, name }
}

/** @throws {Refusal} it is not JSON, or too large */
async function readJson(req: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of req.setEncoding('utf8') as AsyncIterable<string>) {
    text += chunk
    if (text.length > maxBodyBytes) throw new Refusal(413, 'bad_request', 'the body is larger than 16 KiB')
  }
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch (error) {
    throw new Refusal(400, 'bad_request', `the body is not valid JSON: ${(error as Error).message}`)
  }
}

/** @throws {Refusal} it does not match the schema */
function parseInput(schema: z.ZodType | undefined, value: unknown, what: string): unknown {
  const { data, error } = schema?.safeParse(value, { error: explainIssue }) ?? {}
  if (!error) return data
  // An unknown field is reported first, because it is often the misspelled name of a missing one.
  const issue = error.issues.find(({ code }) => code === 'unrecognized_keys') ?? error.issues[0]!
  const place = issue.path.length > 0 ? `"${issue.path.join('.')}" in ${what}` : what
  throw new Refusal(400, 'bad_request', `${place} ${issue.message}`)
}

/** Returns what is wrong with a value, as a clause whose subject is the value. */
function explainIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'unrecognized_keys') return `has the unknown field "${issue.keys[0]}"`
  if (issue.code === 'too_small') return 'must not be empty'
  if (issue.code === 'invalid_type')
    return issue.input === undefined ? 'is missing' : `must have the type ${issue.expected}`
  return undefined
}
