import type { oas31 } from 'zod-openapi'
import type { OperationId } from '#contract/operations.ts'
import { documentedOperation, fieldsOf } from '#site/components/reference/schema.ts'

/** Returns the fields in the response of an operation, as the reference lists them. */
export function fieldsOfRecord(id: OperationId) {
  const response = documentedOperation(id).responses!['200'] as oas31.ResponseObject
  return fieldsOf(response.content!['application/json']!.schema!)
}

/**
 * Returns the paths of all fields of a value, such as `items[].clip.title`. Fields that are
 * undefined are left out.
 */
export function fieldsOfValue(value: unknown, prefix = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => fieldsOfValue(item, `${prefix}[]`))
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, field]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`
    return field === undefined ? [] : [path, ...fieldsOfValue(field, path)]
  })
}
