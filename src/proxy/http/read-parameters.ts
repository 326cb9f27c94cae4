import { invalidParameter, type ErrorAnswer } from '#contract/errors.ts'
import { operations, type Operation } from '#contract/operations.ts'
import { type Parameter } from '#contract/parameters.ts'
import { quoteValue } from '#contract/quote-value.ts'
import { percentDecode } from '#kit/percent-decode.ts'
import type { Match } from './match.ts'
import { unknownParameter } from './unknown-parameter.ts'

/** The values of the parameters that were given, by name. */
export type Values = Record<string, unknown>

/**
 * Decodes and checks the parameters of a request (contract 1.1): those of the path, then those of
 * the query in the order they came. An unknown one is an error whatever its value, an empty one
 * counts as absent.
 */
export function readParameters(
  { operation, pathValues }: Match,
  query: string,
): { values: Values } | { error: ErrorAnswer } {
  const values: Values = {}
  for (const [name, parameter] of Object.entries(operation.pathParameters)) {
    const error = take(values, name, parameter, percentDecode(pathValues[name]!, { plusIsSpace: false }))
    if (error) return { error }
  }
  const seen: string[] = []
  for (const pair of query === '' ? [] : query.split('&')) {
    // As in the URL standard, empty pairs are skipped.
    if (pair === '') continue
    const [written, raw] = splitPair(pair)
    const known = knownParameters.get(operation)!.get(written)
    if (!known) return { error: unknownParameter(operation, written) }
    const { name, parameter } = known
    if (seen.includes(name))
      return { error: invalidParameter(name, `${name} must be given once, got it more than once`) }
    seen.push(name)
    const text = percentDecode(raw, { plusIsSpace: true })
    if (text !== null && text.trim() === '') continue
    const error = take(values, name, parameter, text)
    if (error) return { error }
  }
  const missing = missingParameter(operation, values)
  return missing ? { error: missing } : { values }
}

/**
 * 400: the first required parameter that is missing or empty. A cursor provides those that it is
 * bound to.
 */
function missingParameter(
  { queryParameters, boundParameters, path }: Operation,
  values: Values,
): ErrorAnswer | null {
  const isInCursor = (name: string) => values.cursor !== undefined && boundParameters.includes(name)
  for (const [name, { isRequired, description }] of Object.entries(queryParameters))
    if (isRequired && !(name in values) && !isInCursor(name))
      return invalidParameter(name, `${name} is required on GET ${path}: ${description.replace(/\.$/, '')}`)
  return null
}

/**
 * The query parameters of each operation, by name. A Map, because a slice of a URL as the name of a
 * property would first have to be interned.
 */
const knownParameters = new Map(
  operations.map((operation) => [
    operation,
    new Map(
      Object.entries(operation.queryParameters).map(([name, parameter]) => [name, { name, parameter }]),
    ),
  ]),
)

/** The decoded name, or the raw name if it cannot be decoded, and the raw value. */
function splitPair(pair: string): [name: string, raw: string] {
  const end = pair.indexOf('=')
  const written = end < 0 ? pair : pair.slice(0, end)
  return [percentDecode(written, { plusIsSpace: true }) ?? written, end < 0 ? '' : pair.slice(end + 1)]
}

function take(values: Values, name: string, parameter: Parameter, text: string | null): ErrorAnswer | null {
  if (text === null) return invalidParameter(name, `${name} must be percent-encoded UTF-8 without NUL`)
  const result = parameter.schema.safeParse(text)
  if (!result.success)
    return invalidParameter(name, `${name} ${result.error.issues[0]!.message}, got ${quoteValue(text)}`)
  values[name] = result.data
  return null
}
