import { basePath, operations, type Operation } from '#contract/operations.ts'

/** An operation, and what stands in the path for its parameters, not decoded. */
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

/** A part of a path: the text that must stand there, or the parameter whose value does. */
type Part = { text: string } | { parameter: string }

function toPart(written: string): Part {
  return written.startsWith('{') ? { parameter: written.slice(1, -1) } : { text: written }
}

/**
 * The operation that a path names; null where there is none. A trailing slash, or nothing where a
 * value should stand, is another path.
 */
export function matchPath(path: string): Match | null {
  // One after another: a Map would enter each path that it is asked for in the engine's table of
  // all names.
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
