import type { Recording } from '#site/site-input.ts'
import type { ConsoleData, ConsoleRequest } from './console-data.ts'

/** The path and query of a request. A path parameter that is missing stays in its braces. */
export function targetOf({ operation: { path, parameters }, parameters: values }: ConsoleRequest): string {
  let filled = path
  const query = new URLSearchParams()
  for (const { name, place } of parameters) {
    const value = values[name]
    if (value === undefined || value === '') continue
    if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(value))
    else query.set(name, value)
  }
  return query.size > 0 ? `${filled}?${query.toString().replaceAll('%2C', ',')}` : filled
}

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
