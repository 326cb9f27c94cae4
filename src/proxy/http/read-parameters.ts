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
 * counts as absent, and a list may be repeated.
 */
export function readParameters(
  { operation, pathValues }: Match,
  query: string,
): { values: Values } | { error: ErrorAnswer } {
  const values: Values = {}
  const known = knownParameters.get(operation)!
  for (const [name, parameter] of known.path) {
    const error = take(values, name, parameter, percentDecode(pathValues[name]!, { plusIsSpace: false }))
    if (error) return { error }
  }
  // As in the URL standard, empty pairs are skipped.
  const pairs =
    query === ''
      ? []
      : query
          .split('&')
          .filter((pair) => pair !== '')
          .map(splitPair)
  const seen: string[] = []
  for (const [written, raw] of pairs) {
    const named = known.query.get(written)
    if (!named) return { error: unknownParameter(operation, written) }
    const { name, parameter } = named
    if (seen.includes(name)) {
      if (parameter.list) continue
      return { error: invalidParameter(name, `${name} must be given once, got it more than once`) }
    }
    seen.push(name)
    const text = parameter.list ? joinedText(name, pairs) : percentDecode(raw, { plusIsSpace: true })
    if (text !== null && text.trim() === '') continue
    const error = take(values, name, parameter, text)
    if (error) return { error }
  }
  const missing = missingParameter(operation, known.required, values)
  return missing ? { error: missing } : { values }
}

/**
 * 400: the first required parameter that is missing or empty. A cursor provides those that it is
 * bound to.
 */
function missingParameter(
  { boundParameters, path }: Operation,
  required: readonly (readonly [name: string, parameter: Parameter])[],
  values: Values,
): ErrorAnswer | null {
  const isInCursor = (name: string) => values.cursor !== undefined && boundParameters.includes(name)
  for (const [name, { description }] of required)
    if (!(name in values) && !isInCursor(name))
      return invalidParameter(name, `${name} is required on GET ${path}: ${description.replace(/\.$/, '')}`)
  return null
}

/** The parameters of each operation, listed once. */
const knownParameters = new Map(
  operations.map((operation) => {
    const path = Object.entries(operation.pathParameters)
    const query = Object.entries(operation.queryParameters)
    return [
      operation,
      {
        path,
        // A Map, because a slice of a URL would have to be interned to name a property.
        query: new Map(query.map(([name, parameter]) => [name, { name, parameter }])),
        required: query.filter(([, { isRequired }]) => isRequired),
      },
    ]
  }),
)

/** A list that may be repeated: its values, joined by commas; null if one of them is malformed. */
function joinedText(name: string, pairs: readonly Pair[]): string | null {
  const texts: string[] = []
  for (const [written, raw] of pairs) {
    if (written !== name) continue
    const text = percentDecode(raw, { plusIsSpace: true })
    if (text === null) return null
    if (text.trim() !== '') texts.push(text)
  }
  return texts.join()
}

type Pair = [name: string, raw: string]

/** The decoded name, or the raw name if it cannot be decoded, and the raw value. */
function splitPair(pair: string): Pair {
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
