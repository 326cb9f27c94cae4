/** A request in one language, ready to paste. */
export interface RequestCode {
  label: 'curl' | 'JavaScript' | 'Python'
  /** The language as code highlighters name it. */
  language: 'sh' | 'js' | 'python'
  code: string
}

/**
 * Writes a request in curl, JavaScript and Python. The key is read from the environment, so the
 * code can be shared as it is. The Python needs nothing but the standard library.
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
