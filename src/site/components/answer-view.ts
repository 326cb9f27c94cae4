import { html, nothing, render } from 'lit-html'
import { answerCards } from './cards/answer-cards.ts'
import { copyButton } from './copy-button.ts'
import { jsonTree } from './json-tree.ts'
import type { Answer } from './service.ts'
import type { TextLanguages } from './text-language.ts'

/** Draws a response: cards next to the JSON, the next page if there is one, and the headers. */
export function answerView(
  { headers, body }: Answer,
  languages: TextLanguages,
  onNextPage: (cursor: string) => void,
) {
  const { nextCursor } = body as { nextCursor?: string | null }
  const next = () => onNextPage(nextCursor!)
  const tree = document.createElement('div')
  const showTree = (openDepth: number) => {
    const fragment = new DocumentFragment()
    render(jsonTree(body, languages, openDepth), fragment)
    tree.replaceChildren(fragment)
  }
  showTree(4)
  return html`<div class="beside">
      <div class="cards">
        ${answerCards(body, languages)}
        ${nextCursor && html`<p><button type="button" @click=${next}>Next page</button></p>`}
        ${nextCursor === null ? html`<p class="note">This is the last page.</p>` : nothing}
      </div>
      <div>
        <p class="languages">
          <button type="button" @click=${() => showTree(Infinity)}>Unfold all</button>
          <button type="button" @click=${() => showTree(1)}>Fold all</button>
          ${copyButton('Copy the response', () => JSON.stringify(body, null, 2))}
        </p>
        <div class="json-tree" tabindex="0" role="group" aria-label="JSON">${tree}</div>
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
