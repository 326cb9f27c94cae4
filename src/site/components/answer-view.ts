import { html, nothing } from 'lit-html'
import { answerCards } from './cards/answer-cards.ts'
import { copyButton } from './copy-button.ts'
import type { Answer } from './service.ts'

/** A longer body is cut: a browser would be busy with a megabyte of it. */
const longestBody = 60_000

/**
 * The answer: cards with the JSON beside them, the next page where there is one, and the headers.
 */
export function answerView({ headers, body }: Answer, onNextPage: (cursor: string) => void) {
  const { nextCursor } = body as { nextCursor?: string | null }
  const json = JSON.stringify(body, null, 2)
  const next = () => onNextPage(nextCursor!)
  return html`<div class="beside">
      <div class="cards">
        ${answerCards(body)}
        ${nextCursor && html`<p><button type="button" @click=${next}>Next page</button></p>`}
        ${nextCursor === null ? html`<p class="note">This is the last page.</p>` : nothing}
      </div>
      <div>
        <p class="languages">${copyButton('Copy the response', () => json)}</p>
        <pre class="body" tabindex="0" aria-label="JSON">${colourJson(cut(json))}</pre>
      </div>
    </div>
    <details class="headers">
      <summary>Headers</summary>
      <dl>
        ${Object.entries(headers).map(
          ([name, value]) =>
            html`<dt>${name}</dt>
              <dd>${value}</dd>`,
        )}
      </dl>
    </details>`
}

function cut(json: string): string {
  const rest = json.length - longestBody
  return rest > 0 ? `${json.slice(0, longestBody)}\n… and ${rest} more characters` : json
}

/** JSON with its names, texts and numbers in colours. */
function colourJson(json: string) {
  const parts = json.split(/("(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|\b(?:true|false|null)\b)/)
  return parts.map((part, i) => {
    // What stands between two matches is at the even places.
    if (i % 2 === 0) return part
    const kind = part[0] !== '"' ? 'number' : parts[i + 1]!.startsWith(':') ? 'name' : 'text'
    return html`<span class=${kind}>${part}</span>`
  })
}
