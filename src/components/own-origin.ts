/** Examples name the address that the site was built for, or the one that `npm start` serves at. Where it is served elsewhere, they are to work there too. */
const canonical = document.querySelector<HTMLLinkElement>('link[rel=canonical]')
const builtFor = new Set(['http://127.0.0.1:8080', new URL(canonical?.href ?? location.href).origin])
const foreign = [...builtFor].filter((origin) => origin !== location.origin)

if (foreign.length > 0) {
  for (const code of document.querySelectorAll('.expressive-code code, [data-own-origin]')) replaceIn(code)
  for (const button of document.querySelectorAll<HTMLElement>('.expressive-code [data-code]')) {
    button.dataset.code = ownAddresses(button.dataset.code!)
  }
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

export {}
