import { basePath, operations, type Operation } from '#contract/operations.ts'

/** An operation, and the undecoded values of its path parameters. */
export interface Match {
  operation: Operation
  pathValues: Record<string, string>
}

/** Returns a pattern for a whole path. `{name}` stands for any non-empty text without a slash. */
export function pathPattern(path: string): RegExp {
  const patternText = path.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')
  return new RegExp(`^${patternText}$`)
}

const rows = operations.map((operation) => ({ operation, path: basePath + operation.path }))
const plain = rows.filter(({ path }) => !path.includes('{'))
const patterns = rows
  .filter(({ path }) => path.includes('{'))
  .map((row) => ({ ...row, pattern: pathPattern(row.path) }))

/** Returns the operation that a path names, or null. With a trailing slash, it is another path. */
export function matchPath(path: string): Match | null {
  for (const row of plain) if (row.path === path) return { operation: row.operation, pathValues: {} }
  for (const { operation, pattern } of patterns) {
    const match = pattern.exec(path)
    if (match) return { operation, pathValues: match.groups! }
  }
  return null
}

/** Splits a request target in origin or absolute form (RFC 9112 section 3.2), without decoding. */
export function splitTarget(url: string): { path: string; query: string } {
  const origin = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '')
  const end = origin.indexOf('?')
  return end < 0 ? { path: origin, query: '' } : { path: origin.slice(0, end), query: origin.slice(end + 1) }
}
