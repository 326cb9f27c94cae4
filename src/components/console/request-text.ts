import type { ConsoleOperation } from './console-data.ts'

/** The path and query of a request; a path parameter that is missing stays in its braces. */
export function targetOf({ path, parameters }: ConsoleOperation, values: Record<string, string>): string {
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

/** The request as a shell sends it. The key stays out of it: what is copied may be shown around. */
export function asCurl(origin: string, target: string, isKeyed: boolean): string {
  const url = `'${origin}${target}'`
  return isKeyed ? `curl -H "Authorization: Bearer $CLIP_LOOKUP_KEY" \\\n  ${url}` : `curl ${url}`
}

/** The request as JavaScript sends it. */
export function asFetch(origin: string, target: string, isKeyed: boolean): string {
  const url = `'${origin}${target}'`
  const options = `{\n  headers: { Authorization: \`Bearer \${process.env.CLIP_LOOKUP_KEY}\` },\n}`
  const call = isKeyed ? `fetch(${url}, ${options})` : `fetch(${url})`
  return `const response = await ${call}\nconsole.log(response.status, await response.json())`
}
