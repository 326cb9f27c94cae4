import { element } from '../cards/dom.ts'

/** A longer body is cut: a browser would be busy with a megabyte of it. */
const longestBody = 60_000

/** A body as indented JSON, with its names, texts and numbers in colours. */
export function jsonView(body: unknown): HTMLElement {
  const text = JSON.stringify(body, null, 2)
  const rest = text.length - longestBody
  const shown = rest > 0 ? `${text.slice(0, longestBody)}\n… and ${rest} more characters` : text
  return element('pre', { class: 'body', tabindex: '0', 'aria-label': 'JSON' }, ...coloured(shown))
}

function coloured(text: string): (Node | string)[] {
  const parts: (Node | string)[] = []
  let end = 0
  for (const match of text.matchAll(/("(?:[^"\\]|\\.)*")(:)?|-?\d+(?:\.\d+)?|\b(?:true|false|null)\b/g)) {
    const [all, string, colon] = match
    const kind = string === undefined ? 'number' : colon === undefined ? 'text' : 'name'
    const token = string ?? all
    parts.push(text.slice(end, match.index), element('span', { class: kind }, token))
    end = match.index + token.length
  }
  return [...parts, text.slice(end)]
}
