/**
 * Finds the differences between two OpenAPI documents that break a caller of the first one: a
 * program that sends what the first document allows, and relies on responses that it describes.
 *
 * Invariant: a request that was valid stays valid, so the old schema of a parameter must be a
 * subschema of the new one; and a response is what a caller expects, so the new schema of a body
 * or header must be a subschema of the old one. New optional parameters and new fields are neither.
 */
import { subschemaFaults, type Schema, type Schemas } from './subschema-faults.ts'

interface Parameter {
  name: string
  in: string
  required?: boolean
  style?: string
  explode?: boolean
  schema: Schema
}
type Header = { required?: boolean; schema?: Schema; $ref?: string }
type Response = { headers?: Record<string, Header>; content?: Record<string, { schema: Schema }> }
interface Operation {
  operationId: string
  security?: object[]
  parameters?: Parameter[]
  responses: Record<string, Response>
}
/** The parts of a document that callers depend on. */
export interface OpenApi {
  info: { version: string }
  servers: { url: string }[]
  security: object[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Schemas; headers: Record<string, Header> }
}

/** Returns the breaking differences, each with its place: `GET /feed, parameter limit: …`. */
export function breakingChanges(before: OpenApi, after: OpenApi): string[] {
  const base = ({ servers }: OpenApi) => servers[0]!.url
  const baseFaults =
    base(before) === base(after) ? [] : [`the base path is ${base(after)}, not ${base(before)}`]
  const operationFaults = Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const newOperation = after.paths[path]?.[method]
      const faults = newOperation
        ? [...operationChanges(before, operation, after, newOperation)]
        : [': removed']
      return faults.map((fault) => `${method.toUpperCase()} ${path}${fault}`)
    }),
  )
  return [...baseFaults, ...operationFaults]
}

function* operationChanges(
  before: OpenApi,
  operation: Operation,
  after: OpenApi,
  newOperation: Operation,
): Generator<string> {
  if (operation.operationId !== newOperation.operationId)
    yield `: operationId is ${newOperation.operationId}, not ${operation.operationId}`
  const security = JSON.stringify(operation.security ?? before.security)
  const newSecurity = JSON.stringify(newOperation.security ?? after.security)
  if (newSecurity !== '[]' && newSecurity !== security)
    yield `: needs the security ${newSecurity}, not ${security}`
  yield* parameterChanges(before, operation.parameters ?? [], after, newOperation.parameters ?? [])
  yield* responseChanges(before, operation.responses, after, newOperation.responses)
}

function* parameterChanges(
  before: OpenApi,
  parameters: readonly Parameter[],
  after: OpenApi,
  newParameters: readonly Parameter[],
): Generator<string> {
  const find = (list: readonly Parameter[], { name, in: place }: Parameter) =>
    list.find((parameter) => parameter.name === name && parameter.in === place)
  for (const parameter of parameters) {
    const place = `, ${parameter.in} parameter ${parameter.name}`
    const newParameter = find(newParameters, parameter)
    if (!newParameter) {
      yield `${place}: removed`
      continue
    }
    for (const key of ['style', 'explode'] as const)
      if (parameter[key] !== newParameter[key])
        yield `${place}: ${key} is ${newParameter[key]}, not ${parameter[key]}`
    const [value, newValue] = [parameter.schema.default, newParameter.schema.default].map((v) =>
      JSON.stringify(v),
    )
    if (value !== newValue) yield `${place}: the default is ${newValue}, not ${value}`
    const sub = { schema: parameter.schema, schemas: before.components.schemas }
    const base = { schema: newParameter.schema, schemas: after.components.schemas }
    for (const fault of subschemaFaults(sub, base)) yield `${place}${fault}`
  }
  for (const newParameter of newParameters)
    if (newParameter.required && !find(parameters, newParameter)?.required)
      yield `, ${newParameter.in} parameter ${newParameter.name}: newly required`
}

function* responseChanges(
  before: OpenApi,
  responses: Record<string, Response>,
  after: OpenApi,
  newResponses: Record<string, Response>,
): Generator<string> {
  // Callers know every status, and decide by it what to do about a code that they do not know.
  for (const status of Object.keys(newResponses)) if (!(status in responses)) yield `: new status ${status}`
  for (const [status, response] of Object.entries(responses)) {
    const newResponse = newResponses[status]
    if (!newResponse) {
      yield `: status ${status} removed`
      continue
    }
    for (const [name, reference] of Object.entries(response.headers ?? {})) {
      const faults = headerChanges(before, reference, after, newResponse.headers?.[name])
      for (const fault of faults) yield `, ${status}, header ${name}${fault}`
    }
    for (const [type, { schema }] of Object.entries(response.content ?? {})) {
      const newSchema = newResponse.content?.[type]?.schema
      if (!newSchema) yield `, ${status}: ${type} removed`
      else {
        const sub = { schema: newSchema, schemas: after.components.schemas }
        const base = { schema, schemas: before.components.schemas }
        for (const fault of subschemaFaults(sub, base)) yield `, ${status}${fault}`
      }
    }
  }
}

function* headerChanges(
  before: OpenApi,
  reference: Header,
  after: OpenApi,
  newReference: Header | undefined,
): Generator<string> {
  const header = resolveHeader(before, reference)
  const newHeader = newReference && resolveHeader(after, newReference)
  if (!newHeader) yield ': removed'
  else {
    if (header.required && !newHeader.required) yield ': no longer always present'
    const sub = { schema: newHeader.schema!, schemas: after.components.schemas }
    yield* subschemaFaults(sub, { schema: header.schema!, schemas: before.components.schemas })
  }
}

function resolveHeader({ components }: OpenApi, header: Header): Header {
  return header.$ref === undefined ? header : components.headers[header.$ref.split('/').at(-1)!]!
}
