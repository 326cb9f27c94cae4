import { invalidParameter, type ErrorAnswer } from '#contract/errors.ts'
import { operations, type Operation } from '#contract/operations.ts'
import { type Parameter } from '#contract/parameters.ts'
import { quoteValue, maskValue } from '#contract/quote-value.ts'
import { closestOf } from '#kit/closest.ts'
import { percentDecode } from '#kit/percent-decode.ts'
import type { Match } from './match.ts'

/** The values of the given parameters, keyed by name. */
export type Values = Record<string, unknown>

/**
 * Decodes and checks the parameters of a request (contract 1.1): those of the path, then those of
 * the query in their order. An unknown parameter is an error with any value, an empty one counts as
 * absent, and a list may be repeated.
 */
export function readParameters(
  { operation, pathValues }: Match,
  query: string,
): { values: Values } | { error: ErrorAnswer } {
  const values: Values = {}
  for (const [name, parameter] of Object.entries(operation.pathParameters)) {
    const raw = pathValues[name]!
    const error = take(values, name, parameter, percentDecode(raw, { plusIsSpace: false }), raw)
    if (error) return { error }
  }
  const known = queryParameters.get(operation)!
  for (const [name, raws] of valuesByName(query)) {
    const parameter = known.get(name)
    if (!parameter) return { error: unknownParameter(operation, name) }
    if (raws.length > 1 && !parameter.list)
      return { error: invalidParameter(name, `Send ${name} only once.`) }
    const text = joinedText(raws)
    const error = text === '' ? null : take(values, name, parameter, text, raws.join())
    if (error) return { error }
  }
  const missing = missingParameter(operation, values)
  return missing ? { error: missing } : { values }
}

/** In Maps, because a slice of a URL would have to be interned to name a property. */
const queryParameters = new Map(
  operations.map((operation) => [operation, new Map(Object.entries(operation.queryParameters))]),
)

/**
 * Returns the raw values in a query, keyed by the decoded name. Empty pairs are skipped, as in the
 * URL standard. A name that cannot be decoded is the last one: no parameter has it, and decoding
 * thousands of such names would cost more than a refusal may.
 */
function valuesByName(query: string): Map<string, string[]> {
  const byName = new Map<string, string[]>()
  for (const pair of query === '' ? [] : query.split('&')) {
    if (pair === '') continue
    const end = pair.indexOf('=')
    const rawName = end < 0 ? pair : pair.slice(0, end)
    const name = percentDecode(rawName, { plusIsSpace: true })
    const raw = end < 0 ? '' : pair.slice(end + 1)
    byName.getOrInsertComputed(name ?? rawName, () => []).push(raw)
    if (name === null) break
  }
  return byName
}

/** Returns the decoded values that are not blank, joined by commas; null if one is malformed. */
function joinedText(raws: readonly string[]): string | null {
  const texts: string[] = []
  for (const raw of raws) {
    const text = percentDecode(raw, { plusIsSpace: true })
    if (text === null) return null
    if (text.trim() !== '') texts.push(text)
  }
  return texts.join()
}

/** @param text the decoded value; null if `raw`, the value as sent, cannot be decoded */
function take(
  values: Values,
  name: string,
  parameter: Parameter,
  text: string | null,
  raw: string,
): ErrorAnswer | null {
  if (text === null)
    return invalidParameter(
      name,
      `${name} must be percent-encoded UTF-8 without NUL, but it is ${quoteValue(raw)}.`,
    )
  const result = parameter.schema.safeParse(text)
  if (!result.success) {
    const { message } = result.error.issues[0]!
    // Some messages already quote the wrong part of the value.
    const value = message.includes('"') ? '' : `, but it is ${quoteValue(text)}`
    return invalidParameter(name, `${name} ${message}${value}.`)
  }
  values[name] = result.data
  return null
}

/**
 * Returns 400. Ignoring a misspelled parameter would silently change the answer, and cost a unit.
 */
function unknownParameter(operation: Operation, name: string): ErrorAnswer {
  const known = Object.keys(operation.queryParameters)
  const closest = closestOf(name, known)
  const others = known.filter((other) => other !== closest).join(', ')
  const list =
    known.length === 0
      ? 'It has no query parameters.'
      : closest === undefined
        ? `The ${known.length === 1 ? 'only parameter is' : 'parameters are'} ${others}.`
        : `Did you mean ${closest}${others === '' ? '' : `, or one of ${others}`}?`
  return invalidParameter(
    maskValue(name),
    `${quoteValue(name)} is not a parameter of GET ${operation.path}. ${list}`,
  )
}

/**
 * Returns 400 for the first required parameter that is missing or empty. A cursor provides the
 * parameters that it is bound to.
 */
function missingParameter(operation: Operation, values: Values): ErrorAnswer | null {
  const { path } = operation
  const known = queryParameters.get(operation)!
  const inCursor = values.cursor === undefined ? [] : known.get('cursor')!.boundNames!
  for (const [name, { isRequired, description }] of known)
    if (isRequired && !(name in values) && !inCursor.includes(name))
      return invalidParameter(name, `GET ${path} needs ${name}: ${nounPhraseOf(description)}.`)
  return null
}

/** Returns the first sentence of a description, which is a noun phrase, without its full stop. */
function nounPhraseOf(description: string): string {
  const [sentence] = description.split(/\.(?: |$)/)
  return sentence![0]!.toLowerCase() + sentence!.slice(1)
}
