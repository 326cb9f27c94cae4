import { paths, type OperationId } from '#client/operations.ts'

/** A request in one language, ready to paste. */
export interface RequestCode {
  label: 'curl' | 'JavaScript' | 'Python' | 'Client library'
  /** The language as code highlighters name it. */
  language: 'sh' | 'js' | 'python'
  code: string
}

/**
 * Writes a request in curl, JavaScript and Python, and as a call of the client library. The key is
 * read from the environment, so the code can be shared as it is. The Python needs nothing but the
 * standard library.
 */
export function requestCode(origin: string, target: string, isKeyed: boolean): RequestCode[] {
  const url = origin + target
  const option = isKeyed ? ' \\\n  -H "Authorization: Bearer $CLIP_LOOKUP_KEY"' : ''
  const init = isKeyed ? ', {\n  headers: { Authorization: `Bearer ${process.env.CLIP_LOOKUP_KEY}` },\n}' : ''
  const print = 'console.log(response.status, await response.json())'
  return [
    { label: 'curl', language: 'sh', code: `curl '${url}'${option}` },
    { label: 'JavaScript', language: 'js', code: `const response = await fetch('${url}'${init})\n${print}` },
    { label: 'Python', language: 'python', code: isKeyed ? pythonWithKey(url) : python(url) },
    ...clientCode(origin, target, isKeyed),
  ]
}

const python = (url: string) => `import json
from urllib.request import urlopen

with urlopen("${url}") as response:
    print(response.status, json.load(response))`

const pythonWithKey = (url: string) => `import json, os
from urllib.request import Request, urlopen

request = Request(
    "${url}",
    headers={"Authorization": f"Bearer {os.environ['CLIP_LOOKUP_KEY']}"},
)
with urlopen(request) as response:
    print(response.status, json.load(response))`

/** Returns the call of the client library; nothing if the target belongs to no operation. */
function clientCode(origin: string, target: string, isKeyed: boolean): RequestCode[] {
  const { pathname, searchParams } = new URL(target, origin)
  for (const [id, path] of Object.entries(paths) as [OperationId, string][]) {
    const [name = ''] = /(?<=\{)\w+/.exec(path) ?? []
    const pattern = new RegExp(`^/v1${path.replace('.', '\\.').replace(/\{\w+\}/, '([^/]+)')}$`)
    const match = pattern.exec(pathname)
    if (!match) continue
    const inPath: [string, string][] = name === '' ? [] : [[name, decodeURIComponent(match[1]!)]]
    const parameters = [...inPath, ...searchParams].map(([key, value]) => `${key}: ${literal(value)}`)
    const argument = parameters.length === 0 ? '' : `{ ${parameters.join(', ')} }`
    const key = isKeyed ? ', key: process.env.CLIP_LOOKUP_KEY' : ''
    const code = `import { ClipLookup } from 'clip-lookup-client'

const client = new ClipLookup({ baseUrl: '${origin}/v1'${key} })
console.log(await client.${id}(${argument}))`
    return [{ label: 'Client library', language: 'js', code }]
  }
  return []
}

/** Writes a value of a parameter as JavaScript. */
function literal(value: string): string {
  return /^(true|false|0|[1-9]\d{0,8})$/.test(value) ? value : `'${value.replace(/['\\]/g, '\\$&')}'`
}
