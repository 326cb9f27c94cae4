import { answerCards } from './cards/answer-cards.ts'
import { copyButton } from './copy-button.ts'
import { button, html, type Content } from './html.ts'
import type { Answer } from './service.ts'

/** A longer body is cut: a browser would be busy with a megabyte of it. */
const longestBody = 60_000

/**
 * The answer: cards with the JSON beside them, the next page where there is one, and the headers.
 */
export function answerView({ headers, body }: Answer, onNextPage: (cursor: string) => void): HTMLElement[] {
  const { nextCursor } = body as { nextCursor?: string | null }
  const json = JSON.stringify(body, null, 2)
  const lines = Object.entries(headers).map(([name, value]) => [
    html`<dt>${name}</dt>`,
    html`<dd>${value}</dd>`,
  ])
  return [
    html`<div class="beside">
      <div class="cards">
        ${answerCards(body)}
        ${typeof nextCursor === 'string' && html`<p>${button('Next page', () => onNextPage(nextCursor))}</p>`}
        ${nextCursor === null && html`<p class="note">This is the last page.</p>`}
      </div>
      <div>
        <p class="languages">${copyButton('Copy the response', () => json)}</p>
        <pre class="body" tabindex="0" aria-label="JSON">${coloured(cut(json))}</pre>
      </div>
    </div>`,
    html`<details class="headers">
      <summary>Headers</summary>
      <dl>${lines}</dl>
    </details>`,
  ]
}

function cut(json: string): string {
  const rest = json.length - longestBody
  return rest > 0 ? `${json.slice(0, longestBody)}\n… and ${rest} more characters` : json
}

/** JSON with its names, texts and numbers in colours. */
function coloured(json: string): Content[] {
  const parts: Content[] = []
  let end = 0
  for (const match of json.matchAll(/("(?:[^"\\]|\\.)*")(:)?|-?\d+(?:\.\d+)?|\b(?:true|false|null)\b/g)) {
    const [all, string, colon] = match
    const kind = string === undefined ? 'number' : colon === undefined ? 'text' : 'name'
    const token = string ?? all
    parts.push(json.slice(end, match.index), html`<span class="${kind}">${token}</span>`)
    end = match.index + token.length
  }
  return [...parts, json.slice(end)]
}
