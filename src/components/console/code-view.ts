import { element } from '../cards/dom.ts'
import { requestCode } from '../request-code.ts'
import { copyButton } from './copy-button.ts'

/** The language whose code was shown last. */
let chosen = 'curl'

/** A request in curl, JavaScript and Python, one of them shown. */
export function codeView(origin: string, target: string, isKeyed: boolean): HTMLElement[] {
  const pre = element('pre', { tabindex: '0', 'aria-label': 'The request as code' })
  const all = requestCode(origin, target, isKeyed)
  const buttons = all.map(({ label }) =>
    element('button', { type: 'button', onclick: () => choose(label) }, label),
  )
  const choose = (label: string) => {
    chosen = label
    pre.textContent = all.find((code) => code.label === label)!.code
    for (const button of buttons) button.ariaPressed = String(button.textContent === label)
  }
  choose(chosen)
  return [
    element(
      'p',
      { class: 'languages' },
      ...buttons,
      copyButton('Copy', () => pre.textContent ?? ''),
    ),
    pre,
  ]
}
