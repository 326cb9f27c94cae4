import { basePath, operations, type Operation } from '#contract/operations.ts'

/** An operation, and what stands in the path for its parameters, not decoded. */
export interface Match {
  operation: Operation
  pathValues: Record<string, string>
}

const hasValues = ({ path }: Operation) => path.includes('{')
const withoutValues = new Map(
  operations
    .filter((operation) => !hasValues(operation))
    .map((operation): [string, Match] => [basePath + operation.path, { operation, pathValues: {} }]),
)
const withValues = operations
  .filter(hasValues)
  .map((operation) => ({ operation, parts: (basePath + operation.path).split('/') }))

/** The operation that a path names; null where there is none. A trailing slash, or nothing where a value should stand, is another path. */
export function matchPath(path: string): Match | null {
  const plain = withoutValues.get(path)
  if (plain) return plain
  const parts = path.split('/')
  for (const { operation, parts: pattern } of withValues) {
    if (pattern.length !== parts.length) continue
    const pathValues: Record<string, string> = {}
    if (pattern.every((wanted, i) => matchPart(wanted, parts[i]!, pathValues)))
      return { operation, pathValues }
  }
  return null
}

function matchPart(wanted: string, part: string, pathValues: Record<string, string>): boolean {
  if (!wanted.startsWith('{')) return wanted === part
  pathValues[wanted.slice(1, -1)] = part
  return part !== ''
}
