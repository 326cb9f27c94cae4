import { basePath, operations, type Operation } from '#contract/operations.ts'

/** An operation, and the values of its parameters in the path, not decoded. */
export interface Match {
  operation: Operation
  pathValues: Record<string, string>
}

const hasValues = ({ path }: Operation) => path.includes('{')
const withoutValues = operations
  .filter((operation) => !hasValues(operation))
  .map((operation) => ({ path: basePath + operation.path, match: { operation, pathValues: {} } }))
const withValues = operations
  .filter(hasValues)
  .map((operation) => ({ operation, parts: (basePath + operation.path).split('/').map(toPart) }))

/** A segment of a path: a text, or the parameter whose value it is. */
type Part = { text: string } | { parameter: string }

function toPart(written: string): Part {
  return written.startsWith('{') ? { parameter: written.slice(1, -1) } : { text: written }
}

/**
 * The operation that a path names; null without one. A trailing slash makes another path, and so
 * does an empty value.
 */
export function matchPath(path: string): Match | null {
  // A loop, not a Map: a look-up in a Map would enter every requested path in V8's string table.
  for (const plain of withoutValues) if (plain.path === path) return plain.match
  const parts = path.split('/')
  for (const { operation, parts: pattern } of withValues) {
    if (pattern.length !== parts.length) continue
    const pathValues: Record<string, string> = {}
    if (pattern.every((wanted, i) => matchPart(wanted, parts[i]!, pathValues)))
      return { operation, pathValues }
  }
  return null
}

function matchPart(wanted: Part, part: string, pathValues: Record<string, string>): boolean {
  if ('text' in wanted) return wanted.text === part
  pathValues[wanted.parameter] = part
  return part !== ''
}

/** The target of a request, not decoded: one character a byte, as in `req.url`. */
interface Target {
  path: string
  query: string
}

/** Splits a request target in origin or absolute form (RFC 9112 section 3.2). */
export function splitTarget(url: string): Target {
  const origin = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '')
  const end = origin.indexOf('?')
  return end < 0 ? { path: origin, query: '' } : { path: origin.slice(0, end), query: origin.slice(end + 1) }
}
