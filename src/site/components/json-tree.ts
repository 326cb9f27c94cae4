import { html, type TemplateResult } from 'lit-html'

/** How much of a body is open: its own fields, and the first item of its list with its fields. */
const openDepth = 3

/**
 * JSON as a tree whose objects and lists can be folded. At first, deep values are folded, and every
 * item of a list but the first.
 */
export function jsonTree(value: unknown, name?: string, depth = 0, isOpen = true): TemplateResult {
  const label = name === undefined ? '' : html`<span class="name">${JSON.stringify(name)}</span>: `
  if (typeof value !== 'object' || value === null)
    return html`<div>
      ${label}<span class=${typeof value === 'string' ? 'text' : 'number'}>${JSON.stringify(value)}</span>
    </div>`
  const isList = Array.isArray(value)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  const children = Object.entries(value).map(([key, child], i) =>
    jsonTree(child, isList ? undefined : key, depth + 1, depth + 1 < openDepth && !(isList && i > 0)),
  )
  if (children.length === 0) return html`<div>${label}${open}${close}</div>`
  const size = isList ? `${children.length} ${children.length === 1 ? 'item' : 'items'}` : ' … '
  return html`<details ?open=${isOpen}>
    <summary>${label}${open}<i>${size}${close}</i></summary>
    ${children}
    <div class="close">${close}</div>
  </details>`
}
