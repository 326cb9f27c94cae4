import { openApiDocument } from '#contract/openapi.ts'
import { operations, type OperationId } from '#contract/operations.ts'

/** The part of JSON Schema that the OpenAPI document uses. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  default?: unknown
  example?: string | number | boolean
  enum?: unknown[]
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
  oneOf?: Schema[]
}

interface DocumentedOperation {
  parameters?: {
    name: string
    in: 'path' | 'query' | 'header'
    required?: boolean
    description?: string
    schema?: Schema
  }[]
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

const document = openApiDocument() as unknown as {
  paths: Record<string, { get: DocumentedOperation }>
  components: { schemas: Record<string, Schema> }
}

/** What the OpenAPI document says about an operation. */
export function documentedOperation(id: OperationId): DocumentedOperation {
  return document.paths[operations.find((operation) => operation.id === id)!.path]!.get
}

/**
 * The parameters of an operation in its path and its query. If-None-Match, which every cacheable
 * operation takes, is described once for all, and browsers send it by themselves.
 */
export function documentedParameters(id: OperationId): NonNullable<DocumentedOperation['parameters']> {
  return (documentedOperation(id).parameters ?? []).filter((parameter) => parameter.in !== 'header')
}

/** Follows a reference; a description beside the reference wins over that of its target. */
export function resolve(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema
  const target = document.components.schemas[schema.$ref.split('/').at(-1)!]!
  const { $ref: _, ...own } = schema
  return { ...resolve(target), ...own }
}

/** The type in words: `integer`, `string or null`, `array of Word`. */
export function typeName(given: Schema): string {
  const schema = resolve(given)
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return alternatives.map(typeName).join(' or ')
  if (Array.isArray(schema.type)) return schema.type.join(' or ')
  if (schema.type === 'array') return `array of ${plural(typeName(schema.items ?? {}))}`
  if (schema.type === 'object') return 'object'
  return schema.type ?? (schema.enum ? 'string' : 'any')
}

function plural(type: string): string {
  return type.endsWith('s') || type === 'any' ? type : `${type}s`
}

/** The allowed values in words, or an empty text where the type says it all. */
export function allowedValues(given: Schema): string {
  const schema = resolve(given)
  if (schema.type === 'array') {
    const count = schema.maxItems === undefined ? '' : `at most ${schema.maxItems}`
    return [count, allowedValues(schema.items ?? {})].filter((part) => part !== '').join('; ')
  }
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(' ')
  if (schema.type === 'boolean') return '`true` `false`'
  if (schema.minimum !== undefined && schema.maximum !== undefined && schema.maximum < 1e9)
    return `${schema.minimum} to ${schema.maximum}`
  const { minLength = 0, maxLength } = schema
  if (maxLength !== undefined)
    return minLength > 0 ? `${minLength} to ${maxLength} characters` : `at most ${maxLength} characters`
  if (schema.pattern === '^[a-z]{2}$') return 'two letters a–z'
  return ''
}

/** A field of a record, by its path in it: `items[].clip.title`. */
export interface FieldLine {
  path: string
  type: string
  isOptional: boolean
  description: string
}

/** Lists all fields of a record, depth first. */
export function fieldsOf(given: Schema, prefix = ''): FieldLine[] {
  const schema = resolve(given)
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return alternatives.flatMap((alternative) => fieldsOf(alternative, prefix))
  if (schema.type === 'array') return fieldsOf(schema.items ?? {}, `${prefix}[]`)
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`
    const isOptional = !(schema.required ?? []).includes(name)
    const description = resolve(property).description ?? ''
    return [{ path, type: typeName(property), isOptional, description }, ...fieldsOf(property, path)]
  })
}
