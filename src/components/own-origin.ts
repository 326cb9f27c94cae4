import { isElsewhere, ownAddresses } from './own-address.ts'
import { sessionKey } from './session-key.ts'

/**
 * Makes the examples work where the site is served. Copied examples also get the key of this tab.
 */
if (isElsewhere) {
  for (const code of document.querySelectorAll('.expressive-code code, [data-own-origin]')) replaceIn(code)
  for (const button of document.querySelectorAll<HTMLElement>('.expressive-code [data-code]')) {
    button.dataset.code = ownAddresses(button.dataset.code!)
  }
}

for (const button of document.querySelectorAll<HTMLElement>('[data-code*="YOUR_KEY"]')) {
  if (sessionKey() !== '') button.dataset.code = button.dataset.code!.replaceAll('YOUR_KEY', sessionKey())
}

function replaceIn(element: Element): void {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.nodeValue!
    const own = ownAddresses(text)
    if (own !== text) node.nodeValue = own
  }
}
