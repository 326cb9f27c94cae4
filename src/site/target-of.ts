import { basePath, operations, type OperationId } from '#contract/operations.ts'

/** The path and query of a request. */
export function targetOf(id: OperationId, parameters: Record<string, string>): string {
  const operation = operations.find((candidate) => candidate.id === id)!
  const query = new URLSearchParams()
  let path = basePath + operation.path
  for (const [name, value] of Object.entries(parameters)) {
    if (name in operation.pathParameters) path = path.replace(`{${name}}`, encodeURIComponent(value))
    else query.set(name, value)
  }
  return query.size > 0 ? `${path}?${query.toString().replaceAll('%2C', ',')}` : path
}
