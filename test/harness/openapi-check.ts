import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'
import { openApiDocument } from '#contract/openapi.ts'
import { countSentences } from './count-sentences.ts'

/** A response as received. */
export interface Received {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** The decoded text. */
  text: string
}

type Header = { required?: boolean; schema: object }

const document = JSON.parse(JSON.stringify(openApiDocument())) as {
  paths: Record<
    string,
    { get: { responses: Record<string, { headers?: Record<string, { $ref: string }> }> } }
  >
  components: { schemas: object; headers: Record<string, Header> }
}
takeNoOtherFields(document.components.schemas)

/** Published schemas allow more fields, but responses must have exactly those of the contract. */
function takeNoOtherFields(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return
  const { type, properties } = schema as { type?: unknown; properties?: unknown }
  if (type === 'object' && properties) Object.assign(schema, { additionalProperties: false })
  for (const inner of Object.values(schema)) takeNoOtherFields(inner)
}

// The module is CommonJS: its function is `default` or the module itself, depending on the loader.
const addFormats = ((addFormatsModule as { default?: unknown }).default ?? addFormatsModule) as (
  ajv: Ajv2020,
) => void
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats(ajv)
ajv.addSchema(document, 'openapi')

const patterns = Object.keys(document.paths).map((path) => ({
  path,
  pattern: new RegExp(`^/v1${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
}))

/**
 * Checks a response against the OpenAPI document: the operation lists its status, and its body and
 * headers match the schemas. A response outside the operations must be an error object. A message
 * has at most two sentences.
 *
 * @throws {Error} with what does not match
 */
export function checkAgainstOpenApi(
  method: string,
  target: string,
  { status, headers, text }: Received,
): void {
  const where = `${method} ${target} → ${status}`
  const path = target.replace(/^https?:\/\/[^/]+/, '').split('?')[0]!
  const operation = patterns.find(({ pattern }) => pattern.test(path))?.path
  if (status === 304 && operation !== undefined && method === 'GET')
    checkHeaders(where, operation, status, headers)
  if (status === 204 || status === 304 || method === 'HEAD') {
    if (text !== '') throw new Error(`${where}: has a body`)
    return
  }
  if (headers['content-type'] !== 'application/json; charset=utf-8')
    throw new Error(`${where}: is ${String(headers['content-type'])}`)
  const body: unknown = JSON.parse(text)
  const { error } = body as { error?: { message: string } }
  if (error && countSentences(error.message) > 2)
    throw new Error(`${where}: the message has more than two sentences: ${error.message}`)
  if (operation === undefined || method !== 'GET') return check(where, '#/components/schemas/Error', body)
  checkHeaders(where, operation, status, headers)
  checkBody(where, operation, status, body)
}

/** Checks a body against the schema of an operation, which is given by its path. */
export function checkBody(where: string, operation: string, status: number, body: unknown): void {
  const pointer = [operation, 'get', 'responses', String(status), 'content', 'application/json', 'schema']
  check(where, `#/paths/${pointer.map((part) => part.replaceAll('/', '~1')).join('/')}`, body)
}

function checkHeaders(where: string, operation: string, status: number, headers: Received['headers']): void {
  const response = document.paths[operation]!.get.responses[status]
  if (!response) throw new Error(`${where}: the document does not list this status`)
  for (const [name, { $ref }] of Object.entries(response.headers ?? {})) {
    const header = document.components.headers[$ref.replace('#/components/headers/', '')]!
    checkHeader(where, name, header, headers[name.toLowerCase()])
  }
}

function checkHeader(where: string, name: string, { required, schema }: Header, value: unknown): void {
  if (value === undefined) {
    if (required) throw new Error(`${where}: lacks the header ${name}`)
    return
  }
  const isNumber = (schema as { type?: string }).type === 'integer'
  if (!ajv.validate(schema, isNumber ? Number(value) : value))
    throw new Error(`${where}: header ${name}: ${ajv.errorsText()}, got ${JSON.stringify(value)}`)
}

function check(where: string, ref: string, body: unknown): void {
  const validate = ajv.getSchema(`openapi${ref.replaceAll('{', '%7B').replaceAll('}', '%7D')}`)
  if (!validate) throw new Error(`${where}: no schema at ${ref}`)
  if (!validate(body))
    throw new Error(`${where}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body).slice(0, 400)}`)
}
