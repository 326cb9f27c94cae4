import { copyButton } from './copy-button.ts'
import { button, html } from './html.ts'
import { requestCode } from './request-code.ts'

/** The language whose code was shown last. */
let chosen = 'curl'

/** A request in curl, JavaScript and Python, one of them shown. */
export function codeView(target: string, isKeyed: boolean): HTMLElement[] {
  const pre = html`<pre tabindex="0" aria-label="The request as code"></pre>`
  const all = requestCode(location.origin, target, isKeyed)
  const buttons = all.map(({ label }) => button(label, () => choose(label)))
  const choose = (label: string) => {
    chosen = label
    pre.textContent = all.find((code) => code.label === label)!.code
    for (const each of buttons) each.ariaPressed = String(each.textContent === label)
  }
  choose(chosen)
  return [html`<p class="languages">${buttons} ${copyButton('Copy', () => pre.textContent)}</p>`, pre]
}
