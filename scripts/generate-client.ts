/** Writes src/client/operations.ts from the operations: `node scripts/generate-client.ts`. */
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { format, resolveConfig } from 'prettier'
import { errorCodes } from '#contract/errors.ts'
import { openApiDocument } from '#contract/openapi.ts'
import { operations, type Operation } from '#contract/operations.ts'

export const generatedFile = fileURLToPath(new URL('../src/client/operations.ts', import.meta.url))

/** The parts of a JSON schema that the records and parameters of the API use. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema
  description?: string
}

export interface DocumentedParameter {
  in: string
  name: string
  required?: boolean
  description: string
  schema: Schema
}

export const document = openApiDocument() as unknown as {
  components: { schemas: Record<string, Schema> }
  paths: Record<string, { get: { parameters?: DocumentedParameter[] } }>
}

export async function clientSource(): Promise<string> {
  const text = [
    '/**',
    ' * The operations of the API: their records, parameters and paths. Generated from the table of',
    ' * operations by `node scripts/generate-client.ts`.',
    ' */',
    `import type { CallOptions } from './call-options.ts'`,
    '',
    '/** The error codes of the service. Codes may be added. */',
    `export type KnownErrorCode = ${literals(Object.keys(errorCodes))}`,
    '',
    ...records.map(([name, schema]) => recordType(name, schema)),
    '/** The parameters that several operations have. */',
    `interface SharedParameters {${[...sharedFields].join('\n')}}\n`,
    ...operations.map(parameterType),
    '/** A method for each operation. */',
    'export interface Operations {',
    ...operations.map(method),
    '}',
    'export type OperationId = keyof Operations',
    ...runtimeTables(),
  ].join('\n')
  return await format(text, { ...(await resolveConfig(generatedFile)), parser: 'typescript' })
}

export const records = Object.entries(document.components.schemas)

function recordType(name: string, schema: Schema): string {
  const comment = docComment(schema.description)
  if (schema.enum) return `${comment}export type ${name} = ${literals(schema.enum)}\n`
  const [base, baseFields] = baseOf(schema) ?? ['', []]
  const ownFields = fieldsOf(schema).filter((field) => !baseFields.includes(field))
  return `${comment}export interface ${name} ${base && `extends ${base} `}{${ownFields.join('\n')}}\n`
}

/**
 * Returns the record that this one can extend, because it has some of the same fields and no
 * others. Also returns the shared fields.
 */
export function baseOf(schema: Schema): [name: string, fields: string[]] | undefined {
  const fields = fieldsOf(schema)
  return records
    .map(([name, record]): [string, string[]] => [name, fieldsOf(record)])
    .find(
      ([, some]) =>
        some.length > 0 && some.length < fields.length && some.every((each) => fields.includes(each)),
    )
}

function fieldsOf({ properties = {}, required = [] }: Schema): string[] {
  return Object.entries(properties).map(([name, field]) => {
    const mark = required.includes(name) ? '' : '?'
    return `${docComment(field.description)}${name}${mark}: ${typeOf(field)}`
  })
}

function parameterType(operation: Operation): string {
  const { names = [], fields = [] } = Object.groupBy(parametersOf(operation), (parameter) =>
    sharedFields.has(fieldOf(parameter)) ? 'names' : 'fields',
  )
  const base =
    names.length === 0 ? '' : `extends Pick<SharedParameters, ${literals(names.map(({ name }) => name))}> `
  return `export interface ${parameterTypeName(operation)} ${base}{${fields.map(fieldOf).join('\n')}}\n`
}

const parameterFields = Map.groupBy(operations.flatMap(parametersOf).map(fieldOf), (field) => field)
/** The fields of the parameters that several operations declare in the same words. */
const sharedFields = new Set(parameterFields.keys().filter((field) => parameterFields.get(field)!.length > 1))

function fieldOf({ name, required, description, schema }: DocumentedParameter): string {
  const type = schema.type === 'array' ? listType(schema.items!) : typeOf(schema)
  return `${docComment(description)}${name}${required ? '' : '?'}: ${type}${required ? '' : ' | undefined'}`
}

/** Returns the parameters in the path and the query. */
export function parametersOf({ path }: Operation): DocumentedParameter[] {
  const { parameters = [] } = document.paths[path]!.get
  return parameters.filter((parameter) => parameter.in !== 'header')
}

/** Returns the type of a list parameter, which can also be sent as text. */
function listType(items: Schema): string {
  const type = typeOf(items)
  // `known` mixes levels and ids.
  return `string | readonly (${type === 'string' ? 'string | number' : type})[]`
}

function method(operation: Operation): string {
  const isRequired = parametersOf(operation).some(({ required }) => required)
  const record = operation.record?.meta()?.id ?? 'Record<string, unknown>'
  const comment = docComment(`${operation.summary}. ${operation.description}`)
  const parameters = `parameters${isRequired ? '' : '?'}: ${parameterTypeName(operation)}`
  return `${comment}${operation.id}(${parameters}, options?: CallOptions): Promise<${record}>`
}

export function parameterTypeName({ id }: Operation): string {
  return `${id[0]!.toUpperCase()}${id.slice(1)}Parameters`
}

/** Returns the tables that the client reads when it runs. */
function runtimeTables(): string[] {
  /** An operation without a value is left out. */
  const table = (valueOf: (operation: Operation) => unknown) =>
    JSON.stringify(Object.fromEntries(operations.map((operation) => [operation.id, valueOf(operation)])))
  const paths = table(({ path }) => path)
  const boundParameters = table(({ queryParameters }) => queryParameters['cursor']?.boundNames)
  const query = table(({ queryParameters }) => Object.keys(queryParameters))
  const publicIds = operations.filter(({ access }) => access === 'public').map(({ id }) => id)
  return [
    '',
    '/** The paths of the operations, below the base URL. */',
    `export const paths: Readonly<Record<OperationId, string>> = ${paths}`,
    '/** The operations that need no key. */',
    `export const publicOperations: readonly OperationId[] = ${JSON.stringify(publicIds)}`,
    '/** The parameters to which the cursor of an operation is bound. */',
    `export const boundParameters = ${boundParameters} as const`,
    '/** The query parameters of each operation. */',
    `export const queryParameters: Readonly<Record<OperationId, readonly string[]>> = ${query}`,
  ]
}

function typeOf(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1)!
  if (schema.enum) return enumType(schema.enum)
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ')
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ')
  if (schema.type === 'array') return `(${typeOf(schema.items!)})[]`
  if (schema.type === 'integer') return 'number'
  if (schema.type !== 'object') return schema.type ?? 'unknown'
  if (!schema.properties) return `Record<string, ${typeOf(schema.additionalProperties ?? {})}>`
  const field = commonField(schema)
  if (field) return `Record<${enumType(Object.keys(schema.properties))}, ${typeOf(field)}>`
  return `{\n${fieldsOf(schema).join('\n')}\n}`
}

/** Returns the schema that all fields of an object have; undefined if they differ. */
export function commonField({ properties = {} }: Schema): Schema | undefined {
  const [first, ...others] = Object.values(properties)
  return others.length > 0 && others.every((field) => isDeepStrictEqual(field, first)) ? first : undefined
}

/** Returns the name of the type with these values or, if there is none, the values themselves. */
function enumType(values: readonly unknown[]): string {
  return enumName(values) ?? literals(values)
}

export function enumName(values: readonly unknown[]): string | undefined {
  return records.find(([, schema]) => isDeepStrictEqual(schema.enum, values))?.[0]
}

function literals(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(' | ')
}

/** Returns a doc comment for a field, in at most 100 columns; '' without a text. */
function docComment(text: string | undefined): string {
  if (!text) return ''
  if (text.length <= 89) return `/** ${text} */\n`
  const lines = text.match(/\S.{0,92}(?=\s|$)/g)!
  return `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */\n`
}

if (import.meta.main) await writeFile(generatedFile, await clientSource())
