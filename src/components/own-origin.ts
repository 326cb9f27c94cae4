import { sessionKey } from './session-key.ts'

/**
 * Examples name the address that the site was built for, or the one that `npm start` serves at.
 * Where the site is served elsewhere, they are made to work there. Copied examples also get the key
 * of this tab.
 */
const canonical = document.querySelector<HTMLLinkElement>('link[rel=canonical]')
const builtFor = new Set(['http://127.0.0.1:8080', new URL(canonical?.href ?? location.href).origin])
const foreign = [...builtFor].filter((origin) => origin !== location.origin)

if (foreign.length > 0) {
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

function ownAddresses(text: string): string {
  return foreign.reduce((result, origin) => result.replaceAll(origin, location.origin), text)
}
