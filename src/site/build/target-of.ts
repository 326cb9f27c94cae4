/**
 * The target of a request to a path such as `/v1/clips/{clipId}`: the parameters that the path does
 * not name go into the query. A path parameter without a value stays in its braces.
 */
export function targetOf(path: string, parameters: Record<string, string>): string {
  const query = new URLSearchParams()
  let filled = path
  for (const [name, value] of Object.entries(parameters)) {
    if (path.includes(`{${name}}`)) filled = filled.replace(`{${name}}`, encodeURIComponent(value))
    else query.set(name, value)
  }
  return query.size > 0 ? `${filled}?${query.toString().replaceAll('%2C', ',')}` : filled
}
