import type { ErrorBody } from '#contract/errors.ts'
import type { Recording } from '#site/site-input.ts'
import type { ConsoleData, ConsoleRequest } from './console-data.ts'

/** The recording of exactly this request, whatever the order of its parameters. */
export function recordingOf(
  { operation, parameters }: ConsoleRequest,
  recordings: readonly Recording[],
): Recording | undefined {
  const wanted = comparable(parameters)
  return recordings.find(
    (recording) => recording.operation === operation.id && comparable(recording.parameters) === wanted,
  )
}

/** The recorded refusal of a number that is out of its range. */
export function refusalOf(
  { operation, parameters }: ConsoleRequest,
  refusals: readonly Recording[],
): Recording | undefined {
  const wrong = operation.parameters.find(
    ({ name, field }) =>
      field.kind === 'number' &&
      name in parameters &&
      !(Number(parameters[name]) >= field.min && Number(parameters[name]) <= field.max),
  )
  return refusals.find(
    ({ operation: id, body }) =>
      id === operation.id && (body as Partial<ErrorBody>).error?.parameter === wrong?.name && wrong,
  )
}

function comparable(parameters: Record<string, string>): string {
  return JSON.stringify(Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * The part of the address after `#` that opens the console on a request. The key is never in it.
 */
export function toFragment({ operation, parameters }: ConsoleRequest): string {
  const query = new URLSearchParams(parameters).toString()
  return query === '' ? operation.id : `${operation.id}?${query}`
}

/** The request that a fragment names, or null. Parameters that the operation lacks are dropped. */
export function parseFragment(fragment: string, { operations }: ConsoleData): ConsoleRequest | null {
  const [id, query = ''] = fragment.split(/\?(.*)/s)
  const operation = operations.find((candidate) => candidate.id === id)
  if (!operation) return null
  const names = new Set(operation.parameters.map(({ name }) => name))
  const entries = [...new URLSearchParams(query)].filter(([name]) => names.has(name))
  return { operation, parameters: Object.fromEntries(entries) }
}
