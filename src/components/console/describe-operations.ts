import { basePath, operations } from '#contract/operations.ts'
import { siteInput } from '#site/site-input.ts'
import { documentedOperation, resolve, type DocumentedParameter, type Schema } from '../reference/schema.ts'
import type { ConsoleOperation, ConsoleParameter, Field } from './console-data.ts'

/** The operations as the console shows them, from the OpenAPI document. */
export function describeOperations(): ConsoleOperation[] {
  return operations.map(({ id, path, summary, access }) => ({
    id,
    path: basePath + path,
    summary,
    isKeyed: access === 'key',
    parameters: (documentedOperation(path).parameters ?? [])
      // The browser sends If-None-Match by itself for what it has cached.
      .filter((parameter) => parameter.in !== 'header')
      .map((parameter) => describeParameter(id, parameter)),
  }))
}

function describeParameter(
  operation: string,
  { name, required, description = '', schema = {} }: DocumentedParameter,
): ConsoleParameter {
  const recording = siteInput().recordings.find((candidate) => candidate.operation === operation)
  const example = recording?.parameters[name] ?? resolve(schema).example
  return {
    name,
    isRequired: required === true,
    description,
    field: fieldOf(name, resolve(schema)),
    example: example === undefined ? '' : String(example),
  }
}

function fieldOf(name: string, schema: Schema): Field {
  if (name === 'language')
    return { kind: 'choice', choices: siteInput().corpus.languages.map(({ language }) => language) }
  if (schema.type === 'boolean') return { kind: 'choice', choices: ['true', 'false'] }
  if (schema.type === 'integer')
    return { kind: 'number', min: schema.minimum ?? 0, max: schema.maximum ?? 1e9 }
  if (schema.enum) return { kind: 'choice', choices: schema.enum.map(String) }
  const listed = resolve(schema.items ?? {}).enum
  if (listed) return { kind: 'choices', choices: listed.map(String) }
  return schema.maxLength === undefined ? { kind: 'text' } : { kind: 'text', maxLength: schema.maxLength }
}
