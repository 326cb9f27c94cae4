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
  return [
    { label: 'curl', language: 'sh', code: toCurl(url, isKeyed) },
    { label: 'JavaScript', language: 'js', code: toJavaScript(url, isKeyed) },
    { label: 'Python', language: 'python', code: toPython(url, isKeyed) },
  ]
}

function toCurl(url: string, isKeyed: boolean): string {
  return isKeyed ? `curl '${url}' \\\n  -H "Authorization: Bearer $CLIP_LOOKUP_KEY"` : `curl '${url}'`
}

function toJavaScript(url: string, isKeyed: boolean): string {
  const headers = isKeyed
    ? ', {\n  headers: { Authorization: `Bearer ${process.env.CLIP_LOOKUP_KEY}` },\n}'
    : ''
  return `const response = await fetch('${url}'${headers})\nconsole.log(response.status, await response.json())`
}

function toPython(url: string, isKeyed: boolean): string {
  if (!isKeyed) {
    return `import json
from urllib.request import urlopen

with urlopen("${url}") as response:
    print(response.status, json.load(response))`
  }
  return `import json, os
from urllib.request import Request, urlopen

request = Request(
    "${url}",
    headers={"Authorization": f"Bearer {os.environ['CLIP_LOOKUP_KEY']}"},
)
with urlopen(request) as response:
    print(response.status, json.load(response))`
}
