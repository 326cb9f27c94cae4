import type { oas31 } from 'zod-openapi'
import { openApiDocument } from '#contract/openapi.ts'
import { operations, type OperationId } from '#contract/operations.ts'

/** A schema of the OpenAPI document, or a reference to one. */
type Schema = oas31.SchemaObject | oas31.ReferenceObject

const { paths, components } = openApiDocument() as oas31.OpenAPIObject

/** Returns the OpenAPI document's description of an operation. */
export function documentedOperation(id: OperationId): oas31.OperationObject {
  return paths![operations.find((operation) => operation.id === id)!.path]!.get!
}

/**
 * Returns the parameters of an operation in its path and its query. If-None-Match, which every
 * cacheable operation accepts, is described once for all, and browsers send it automatically.
 */
export function documentedParameters(id: OperationId): oas31.ParameterObject[] {
  const { parameters = [] } = documentedOperation(id)
  return (parameters as oas31.ParameterObject[]).filter((parameter) => parameter.in !== 'header')
}

/** Follows a reference; a description beside it takes precedence over that of its target. */
export function resolve(schema: Schema): oas31.SchemaObject {
  if (!('$ref' in schema)) return schema
  const { $ref, ...siblings } = schema
  return { ...resolve(components!.schemas![$ref!.split('/').at(-1)!]!), ...siblings }
}

/** Returns the type in words: `integer`, `string or null`, `array of Word`. */
export function typeName(schema: Schema): string {
  const { anyOf, oneOf, type, items, enum: values } = resolve(schema)
  const alternatives = anyOf ?? oneOf
  if (alternatives) return alternatives.map(typeName).join(' or ')
  if (Array.isArray(type)) return type.join(' or ')
  if (type === 'array') return `array of ${plural(typeName(items ?? {}))}`
  return type ?? (values ? 'string' : 'any')
}

function plural(type: string): string {
  return type.endsWith('s') || type === 'any' ? type : `${type}s`
}

/** Returns the allowed values in words, or an empty text if the type says it all. */
export function allowedValues(schema: Schema): string {
  const { type, items = {}, enum: values, pattern, ...bounds } = resolve(schema)
  const { maxItems, minimum, maximum, minLength, maxLength } = bounds
  if (type === 'array')
    return [maxItems && `at most ${maxItems}`, allowedValues(items)].filter(Boolean).join('; ')
  if (values) return values.map((value) => `\`${String(value)}\``).join(' ')
  if (type === 'boolean') return '`true` `false`'
  if (minimum !== undefined && maximum !== undefined && maximum < 1e9) return `${minimum} to ${maximum}`
  if (maxLength !== undefined)
    return minLength ? `${minLength} to ${maxLength} characters` : `at most ${maxLength} characters`
  return pattern === '^[a-z]{2}$' ? 'two letters a–z' : ''
}

/** Lists all fields of a record, depth first, each by its path: `items[].clip.title`. */
export function fieldsOf(
  schema: Schema,
  prefix = '',
): { path: string; isOptional: boolean; schema: Schema }[] {
  const { anyOf, oneOf, type, items, properties = {}, required = [] } = resolve(schema)
  const alternatives = anyOf ?? oneOf
  if (alternatives) return alternatives.flatMap((alternative) => fieldsOf(alternative, prefix))
  if (type === 'array') return fieldsOf(items ?? {}, `${prefix}[]`)
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`
    return [{ path, isOptional: !required.includes(name), schema }, ...fieldsOf(schema, path)]
  })
}
