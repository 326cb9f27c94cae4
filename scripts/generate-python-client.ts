/**
 * Writes src/client/python/clip_lookup/operations.py, the part of the Python client that follows
 * from the table of operations: `node scripts/generate-python-client.ts`.
 */
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { errorCodes } from '#contract/errors.ts'
import { operations, type Operation } from '#contract/operations.ts'
import {
  baseOf,
  commonField,
  document,
  enumName,
  parametersOf,
  parameterTypeName,
  records,
  type DocumentedParameter,
  type Schema,
} from './generate-client.ts'

export const pythonFile = fileURLToPath(
  new URL('../src/client/python/clip_lookup/operations.py', import.meta.url),
)

const keywords = new Set(['from', 'in', 'is', 'class', 'import', 'global'])
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Returns the name of a parameter in Python. */
const argument = (name: string) => (keywords.has(name) ? `${name}_` : snake(name))
const pagedOperations = operations.filter(({ queryParameters }) => queryParameters['cursor']?.boundNames)

export function pythonSource(): string {
  const strings = (values: readonly string[]) => values.map((value) => `'${value}'`).join(', ')
  const table = (name: string, type: string, rows: [string, string][]) =>
    `${name}: Final[${type}] = {\n${rows.map(([key, value]) => `    '${key}': ${value},\n`).join('')}}\n`
  const boundNames = pagedOperations.map(({ id, queryParameters }): [string, string] => [
    snake(id),
    `(${strings(queryParameters['cursor']!.boundNames!.map(argument))})`,
  ])
  return [
    '"""The operations of the API: their records, parameters and paths.',
    '',
    'Generated from the table of operations by `node scripts/generate-python-client.ts`.',
    '"""',
    '',
    'from __future__ import annotations',
    '',
    'from abc import ABC, abstractmethod',
    'from collections.abc import AsyncIterator, Iterator, Mapping, Sequence',
    'from typing import Any, Final, Literal, TypedDict, overload',
    '',
    `KnownErrorCode = Literal[\n${Object.keys(errorCodes)
      .map((code) => `    '${code}',\n`)
      .join('')}]`,
    '',
    `OperationId = Literal[\n${operations.map(({ id }) => `    '${snake(id)}',\n`).join('')}]`,
    '',
    // A base class is defined before the classes that extend it.
    ...records
      .toSorted(([, a], [, b]) => Number(baseOf(a) !== undefined) - Number(baseOf(b) !== undefined))
      .map(([name, schema]) => recordType(name, schema)),
    ...pagedOperations.map(parameterType),
    '',
    table(
      'PATHS',
      'dict[str, str]',
      operations.map(({ id, path }) => [snake(id), `'${path}'`]),
    ),
    table('BOUND_PARAMETERS', 'dict[str, tuple[str, ...]]', boundNames),
    ...[false, true].flatMap((isAsync) => [methods(isAsync), pagedMethods(isAsync)]),
  ]
    .join('\n')
    .replace(/\n{3,}(?=class|\w+ =|PATHS)/g, '\n\n\n')
    .trimEnd()
    .concat('\n')
}

/** Returns the definition of a record, after those of the records inside it. */
function recordType(name: string, schema: Schema): string {
  const inner: string[] = []
  const typeIn = (field: string, part: Schema) =>
    typeOf(part, (object) => {
      const innerName = name + field[0]!.toUpperCase() + field.slice(1)
      inner.push(recordType(innerName, object))
      return innerName
    })
  const doc = schema.description ? `${docstring(schema.description, 4)}\n` : ''
  if (schema.enum) return `${comment(schema.description, 0)}${name} = ${literal(schema.enum)}\n`
  const [base] = baseOf(schema) ?? []
  const baseProperties = base ? document.components.schemas[base]!.properties! : {}
  const fields = Object.entries(schema.properties!).filter(([field]) => !(field in baseProperties))
  if (fields.some(([field]) => keywords.has(field))) {
    const rows = fields.map(([field, part]) => `        '${field}': '${typeIn(field, part)}',\n`)
    return `${inner.join('\n')}${name} = TypedDict(\n    '${name}',\n    {\n${rows.join('')}    },\n)\n`
  }
  const lines = (isRequired: boolean) =>
    fields
      .filter(([field]) => (schema.required?.includes(field) ?? false) === isRequired)
      .map(([field, part]) => `${comment(part.description, 4)}    ${field}: ${typeIn(field, part)}\n`)
      .join('')
  const [requiredFields, optionalFields] = [lines(true), lines(false)]
  // NotRequired exists only from Python 3.11 on.
  const needsBase = requiredFields !== '' && optionalFields !== ''
  const parent = needsBase ? `_${name}` : (base ?? 'TypedDict')
  const definition = [
    needsBase ? `class _${name}(${base ?? 'TypedDict'}):\n${requiredFields}\n\n` : '',
    `class ${name}(${parent}${optionalFields ? ', total=False' : ''}):\n${doc}${optionalFields || requiredFields}`,
  ].join('')
  return `${inner.join('\n')}\n${definition}\n`
}

function parameterType(operation: Operation): string {
  const fields = parametersOf(operation).map(
    (parameter) => `    ${argument(parameter.name)}: ${parameterTypeOf(parameter)} | None\n`,
  )
  const text = `Parameters of \`pages\` and \`items\` for \`${snake(operation.id)}\`.`
  return `class ${parameterTypeName(operation)}(TypedDict, total=False):\n${docstring(text, 4)}\n${fields.join('')}\n`
}

function parameterTypeOf({ schema }: DocumentedParameter): string {
  if (schema.type !== 'array') return typeOf(schema)
  const type = typeOf(schema.items!)
  return `str | Sequence[${type === 'str' ? 'str | int' : type}]`
}

const recordName = ({ record }: Operation) => record?.meta()?.id ?? 'dict[str, Any]'

function methods(isAsync: boolean): string {
  const name = isAsync ? 'AsyncOperations' : 'Operations'
  const [define, wait] = isAsync ? ['async def', 'await '] : ['def', '']
  const abstract = [
    '    @abstractmethod',
    `    ${define} _answer(`,
    '        self, operation: OperationId, parameters: Mapping[str, object], timeout_s: float | None',
    '    ) -> Any: ...',
  ]
  const rows = operations.map((operation) => {
    const all = parametersOf(operation)
    const requiredParameters = all.filter((parameter) => parameter.required)
    const optionalParameters = all.filter((parameter) => !parameter.required)
    const signature = [
      'self',
      ...requiredParameters.map((each) => `${argument(each.name)}: ${parameterTypeOf(each)}`),
      '*',
      ...optionalParameters.map((each) => `${argument(each.name)}: ${parameterTypeOf(each)} | None = None`),
      'timeout_s: float | None = None',
    ]
    const values = all.map((each) => `'${argument(each.name)}': ${argument(each.name)}`)
    const descriptions = all.map(({ name: each, description }) =>
      wrap(`${argument(each)}: ${inPython(description)}`, 8, '    '),
    )
    const text = [
      wrap(`${operation.summary}.`, 8),
      wrap(inPython(operation.description), 8),
      ...(descriptions.length > 0 ? [`        Parameters:\n${descriptions.join('\n')}`] : []),
    ].join('\n\n')
    return [
      '',
      inLines(`    ${define} ${snake(operation.id)}(`, signature, `) -> ${recordName(operation)}:`),
      `        """${text.trimStart()}`,
      '        """',
      inLines('        parameters: dict[str, object] = {', values, '}'),
      `        record: ${recordName(operation)} = ${wait}self._answer('${snake(operation.id)}', parameters, timeout_s)`,
      '        return record',
    ].join('\n')
  })
  return `\nclass ${name}(ABC):\n    """A method for each operation."""\n\n${abstract.join('\n')}\n${rows.join('\n')}\n`
}

/** Returns the class with `pages` and `items`, whose types depend on the operation. */
function pagedMethods(isAsync: boolean): string {
  const prefix = isAsync ? 'Async' : ''
  const overloads = (method: 'pages' | 'items') => {
    const rows = pagedOperations.map((operation) => {
      const page = document.components.schemas[recordName(operation)]!
      const list = page.properties!['items'] ?? page.properties!['words']!
      const type = method === 'pages' ? recordName(operation) : typeOf(list.items!)
      return [
        '    @overload',
        `    def ${method}(`,
        `        self,`,
        `        operation: Literal['${snake(operation.id)}'],`,
        `        parameters: ${parameterTypeName(operation)},`,
        '        *,',
        '        timeout_s: float | None = None,',
        `    ) -> ${prefix}Iterator[${type}]: ...`,
        '',
      ].join('\n')
    })
    const text =
      method === 'pages'
        ? 'Return the pages of a list, one after another. `parameters` is read again for each page, so that you can change filters such as `exclude` between pages. A parameter to which the cursor is bound keeps its value, and a warning names it if it changes.'
        : 'Return the items of all pages of a list: see `pages`.'
    const implementation = [
      `    def ${method}(`,
      '        self, operation: Any, parameters: Any, *, timeout_s: float | None = None',
      `    ) -> ${prefix}Iterator[Any]:`,
      docstring(text, 8),
      `        return self._${method}(operation, parameters, timeout_s)`,
      '',
      '    @abstractmethod',
      `    def _${method}(`,
      '        self, operation: OperationId, parameters: Mapping[str, object], timeout_s: float | None',
      `    ) -> ${prefix}Iterator[Any]: ...`,
    ]
    return `${rows.join('\n')}\n${implementation.join('\n')}`
  }
  const name = `${prefix}PagedOperations`
  return `\nclass ${name}(${prefix}Operations):\n    """The operations, with iterators over pages."""\n\n${overloads('pages')}\n\n${overloads('items')}\n`
}

function typeOf(schema: Schema, nameOf?: (object: Schema) => string): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1)!
  if (schema.enum) return enumName(schema.enum) ?? literal(schema.enum)
  if (schema.anyOf) return schema.anyOf.map((part) => typeOf(part, nameOf)).join(' | ')
  if (Array.isArray(schema.type))
    return schema.type.map((type) => typeOf({ ...schema, type }, nameOf)).join(' | ')
  if (schema.type === 'array') return `list[${typeOf(schema.items!, nameOf)}]`
  const field = commonField(schema)
  if (field) return `dict[${enumName(Object.keys(schema.properties!)) ?? 'str'}, ${typeOf(field, nameOf)}]`
  if (schema.type === 'object' && schema.properties && nameOf) return nameOf(schema)
  if (schema.type === 'object') return `dict[str, ${typeOf(schema.additionalProperties ?? {}, nameOf)}]`
  const types = { integer: 'int', number: 'float', string: 'str', boolean: 'bool', null: 'None' }
  return types[schema.type as keyof typeof types] ?? 'Any'
}

function literal(values: readonly unknown[]): string {
  return `Literal[${values.map((value) => `'${value as string}'`).join(', ')}]`
}

/** Returns a description in which query parameters have their names in Python. */
function inPython(description: string): string {
  const names = new Set(operations.flatMap(({ queryParameters }) => Object.keys(queryParameters)))
  return description.replace(/`(\w+)`/g, (text, name: string) =>
    names.has(name) ? `\`${argument(name)}\`` : text,
  )
}

/** Joins parts with commas: on one line, or each on a line of its own if they are too long. */
function inLines(begin: string, parts: readonly string[], end: string): string {
  const line = begin + parts.join(', ') + end
  if (line.length <= 100) return line
  const indent = begin.match(/^ */)![0]
  return `${begin}\n${parts.map((part) => `${indent}    ${part},\n`).join('')}${indent}${end}`
}

/** Divides a text into lines of at most 100 columns. */
function wrap(text: string, indent: number, hanging = ''): string {
  const width = 98 - indent - 2 * hanging.length
  const lines = text.match(new RegExp(`\\S.{0,${width}}(?=\\s|$)`, 'g'))!
  return lines.map((line, i) => ' '.repeat(indent) + hanging + (i > 0 ? hanging : '') + line).join('\n')
}

function docstring(text: string, indent: number): string {
  const lines = wrap(text, indent, '').split('\n')
  const space = ' '.repeat(indent)
  if (lines.length === 1 && text.length < 90 - indent) return `${space}"""${text}"""`
  return `${space}"""${wrap(text, indent + 3)
    .trimStart()
    .replaceAll(`\n   ${space}`, `\n${space}`)}\n${space}"""`
}

function comment(text: string | undefined, indent: number): string {
  return text ? `${wrap(text, indent + 2).replaceAll(/^ +/gm, `${' '.repeat(indent)}# `)}\n` : ''
}

if (import.meta.main) await writeFile(pythonFile, pythonSource())
