import { paths, type OperationId } from '#client/operations.ts'

/**
 * Returns the target of a request, such as `/v1/clips/dQw4w9WgXcQ`. Parameters that are not in the
 * path are added to the query. A path parameter without a value remains in braces.
 */
export function targetOf(id: OperationId, parameters: Record<string, string>): string {
  const query = new URLSearchParams()
  let path = `/v1${paths[id]}`
  for (const [name, value] of Object.entries(parameters)) {
    if (path.includes(`{${name}}`)) path = path.replace(`{${name}}`, encodeURIComponent(value))
    else query.set(name, value)
  }
  return query.size > 0 ? `${path}?${query.toString().replaceAll('%2C', ',')}` : path
}
