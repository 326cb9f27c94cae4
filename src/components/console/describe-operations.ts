import { glosses } from '#contract/glosses.ts'
import { levels } from '#contract/levels.ts'
import { openApiDocument } from '#contract/openapi.ts'
import { basePath, operations } from '#contract/operations.ts'
import { siteInput } from '#site/site-input.ts'
import type { ConsoleOperation, ConsoleParameter, Field } from './console-data.ts'

interface Schema {
  $ref?: string
  type?: string
  items?: Schema
  minimum?: number
  maximum?: number
  maxLength?: number
  example?: string | number | boolean
}

interface DocumentedParameter {
  name: string
  in: string
  description?: string
  schema?: Schema
}

const document = openApiDocument() as unknown as {
  paths: Record<string, { get: { parameters?: DocumentedParameter[] } }>
}

/** The operations as the console shows them, from the OpenAPI document. */
export function describeOperations(): ConsoleOperation[] {
  return operations.map(({ id, path, summary, access }) => ({
    id,
    path: basePath + path,
    summary,
    isKeyed: access === 'key',
    parameters: (document.paths[path]!.get.parameters ?? [])
      // A browser asks by itself whether what it keeps has changed.
      .filter((parameter) => parameter.in !== 'header')
      .map((parameter) => describeParameter(id, parameter)),
  }))
}

function describeParameter(
  operation: string,
  { name, in: place, description, schema = {} }: DocumentedParameter,
): ConsoleParameter {
  const recorded = siteInput().recordings.find((recording) => recording.operation === operation)?.parameters[
    name
  ]
  return {
    name,
    place: place === 'path' ? 'path' : 'query',
    description: description ?? '',
    field: fieldOf(name, schema),
    example: recorded ?? (schema.example === undefined ? '' : String(schema.example)),
  }
}

const enumerations: Record<string, readonly string[]> = { Level: levels, Gloss: glosses }

function fieldOf(name: string, schema: Schema): Field {
  if (name === 'language')
    return { kind: 'choice', choices: siteInput().corpus.languages.map(({ language }) => language) }
  if (schema.type === 'boolean') return { kind: 'choice', choices: ['true', 'false'] }
  if (schema.type === 'integer')
    return { kind: 'number', min: schema.minimum ?? 0, max: schema.maximum ?? 1e9 }
  const listed = enumerations[schema.items?.$ref?.split('/').at(-1) ?? '']
  if (listed) return { kind: 'choices', choices: [...listed] }
  const named = enumerations[schema.$ref?.split('/').at(-1) ?? '']
  if (named) return { kind: 'choice', choices: [...named] }
  return schema.maxLength === undefined ? { kind: 'text' } : { kind: 'text', maxLength: schema.maxLength }
}
