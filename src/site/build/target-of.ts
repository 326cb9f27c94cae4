/**
 * Returns the target of a request to a path such as `/v1/clips/{clipId}`. Parameters that are not
 * in the path are added to the query. A path parameter without a value remains in braces.
 */
export function targetOf(path: string, parameters: Record<string, string>): string {
  const query = new URLSearchParams()
  let filledPath = path
  for (const [name, value] of Object.entries(parameters)) {
    if (path.includes(`{${name}}`)) filledPath = filledPath.replace(`{${name}}`, encodeURIComponent(value))
    else query.set(name, value)
  }
  return query.size > 0 ? `${filledPath}?${query.toString().replaceAll('%2C', ',')}` : filledPath
}
