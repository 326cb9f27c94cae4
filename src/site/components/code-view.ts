import { html, render } from 'lit-html'
import { copyButton } from './copy-button.ts'
import { requestCode, type RequestCode } from './request-code.ts'
import type { Request } from './service.ts'

/** The label of the language that was shown last. */
let lastLabel: RequestCode['label'] = 'curl'

/** Returns a view of a request as code in one of several languages. */
export function codeView(request: Request): DocumentFragment {
  const view = new DocumentFragment()
  const codes = requestCode(location.origin, request)
  const show = (label: RequestCode['label']) => {
    lastLabel = label
    const { code } = codes.find((each) => each.label === label)!
    const buttons = codes.map(
      ({ label: each }) =>
        html`<button type="button" aria-pressed=${each === label} @click=${() => show(each)}>
          ${each}
        </button>`,
    )
    render(
      html`<p class="languages">${buttons} ${copyButton('Copy', () => code)}</p>
        <pre tabindex="0" aria-label="The request as code">${code}</pre>`,
      view,
    )
  }
  show(lastLabel)
  return view
}
