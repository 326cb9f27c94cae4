import { paths, publicOperations } from '#client/operations.ts'
import { targetOf } from '#site/target-of.ts'
import type { Request } from './service.ts'

/** A request in one language, ready to paste. */
export interface RequestCode {
  label: 'curl' | 'JavaScript' | 'Python' | 'JS client' | 'Python client'
  /** The language as code highlighters name it. */
  language: 'sh' | 'js' | 'python'
  code: string
}

/**
 * Writes a request in curl, JavaScript and Python, and as a call of the client libraries. The key
 * is read from the environment, so the code can be shared as it is. The Python without a client
 * needs nothing but the standard library.
 */
export function requestCode(origin: string, request: Request): RequestCode[] {
  const isKeyed = !publicOperations.includes(request[0])
  const url = origin + targetOf(...request)
  const option = isKeyed ? ' \\\n  -H "Authorization: Bearer $CLIP_LOOKUP_KEY"' : ''
  const init = isKeyed ? ', {\n  headers: { Authorization: `Bearer ${process.env.CLIP_LOOKUP_KEY}` },\n}' : ''
  const print = 'console.log(response.status, await response.json())'
  return [
    { label: 'curl', language: 'sh', code: `curl '${url}'${option}` },
    { label: 'JavaScript', language: 'js', code: `const response = await fetch('${url}'${init})\n${print}` },
    { label: 'Python', language: 'python', code: isKeyed ? pythonWithKey(url) : python(url) },
    { label: 'JS client', language: 'js', code: javaScriptCall(origin, request, isKeyed) },
    { label: 'Python client', language: 'python', code: pythonCall(origin, request, isKeyed) },
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

/** Returns the parameters of a call, those in the path first. */
function parametersOf([id, parameters]: Request): [name: string, value: string][] {
  const inPath = Array.from(paths[id].matchAll(/\{(\w+)\}/g), ([placeholder, name]) => [name!, placeholder])
  return Object.entries({ ...Object.fromEntries(inPath), ...parameters })
}

function javaScriptCall(origin: string, request: Request, isKeyed: boolean): string {
  const fields = parametersOf(request).map(([name, value]) => `${name}: ${literal(value)}`)
  const argument = fields.length === 0 ? '' : `{ ${fields.join(', ')} }`
  const key = isKeyed ? ', key: process.env.CLIP_LOOKUP_KEY' : ''
  return `import { ClipLookup } from 'clip-lookup-client'

const client = new ClipLookup({ baseUrl: '${origin}/v1'${key} })
console.log(await client.${request[0]}(${argument}))`
}

function pythonCall(origin: string, request: Request, isKeyed: boolean): string {
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  // Python reserves the word.
  const nameOf = (name: string) => (name === 'in' ? 'in_' : snake(name))
  const valueOf = (value: string) =>
    literal(value).replace(/^[tf](?=rue$|alse$)/, (letter) => letter.toUpperCase())
  const fields = parametersOf(request).map(([name, value]) => `${nameOf(name)}=${valueOf(value)}`)
  const key = isKeyed ? ", key=os.environ['CLIP_LOOKUP_KEY']" : ''
  return `${isKeyed ? 'import os\n\n' : ''}from clip_lookup import ClipLookup

client = ClipLookup('${origin}/v1'${key})
print(client.${snake(request[0])}(${fields.join(', ')}))`
}

/** Writes a value of a parameter as JavaScript. */
function literal(value: string): string {
  return /^(true|false|0|[1-9]\d{0,8})$/.test(value) ? value : `'${value.replace(/['\\]/g, '\\$&')}'`
}
