import { html, nothing, render, type TemplateResult } from 'lit-html'
import { countText } from '#kit/count-text.ts'
import { eastAsianLanguage, type TextLanguages } from './text-language.ts'

/**
 * Draws JSON as a tree whose objects and lists can be folded. At first, values deeper than
 * `openDepth` and all items of a list but the first are folded, and their content is created when
 * they are unfolded. `languages` applies unless a record in the value names its language. `name`
 * is the name of the field that contains the value, if there is one.
 */
export function jsonTree(
  value: unknown,
  languages: TextLanguages,
  openDepth: number,
  name?: string,
): TemplateResult {
  const label = name === undefined ? '' : html`<span class="name">${JSON.stringify(name)}</span>: `
  if (typeof value === 'string') {
    const { language, gloss } = languages
    const textLanguage = eastAsianLanguage(value, name === 'meaning' ? gloss : language)
    return html`<div>
      ${label}<span class="text" lang=${textLanguage ?? nothing}>${JSON.stringify(value)}</span>
    </div>`
  }
  if (typeof value !== 'object' || value === null)
    return html`<div>${label}<span class="number">${JSON.stringify(value)}</span></div>`
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const size = Object.keys(value).length
  if (size === 0) return html`<div>${label}${open}${close}</div>`
  const summary = Array.isArray(value) ? countText(size, 'item') : ' … '
  const heading = html`<summary>${label}${open}<i>${summary}${close}</i></summary>`
  const content = () =>
    html`${children(value, languages, openDepth - 1, name)}
      <div class="close">${close}</div>`
  if (openDepth > 0)
    return html`<details open>
      ${heading}
      <div class="content">${content()}</div>
    </details>`
  const fill = ({ currentTarget }: Event) =>
    render(content(), (currentTarget as Element).querySelector<HTMLElement>('.content')!)
  return html`<details @toggle=${{ handleEvent: fill, once: true }}>
    ${heading}
    <div class="content"></div>
  </details>`
}

function children(value: object, languages: TextLanguages, openDepth: number, name?: string) {
  const { language } = value as { language?: unknown }
  const valueLanguages = typeof language === 'string' ? { ...languages, language } : languages
  return Object.entries(value).map(([key, child], i) => {
    if (Array.isArray(value))
      return jsonTree(child, valueLanguages, i > 0 && openDepth !== Infinity ? 0 : openDepth)
    // The translations of a line are keyed by their languages.
    const childLanguages = name === 'translations' ? { ...languages, language: key } : valueLanguages
    return jsonTree(child, childLanguages, openDepth, key)
  })
}
