/** Examples name the address that the site was built for. Where it is served elsewhere, they are to work there too. */
const builtFor = document.querySelector<HTMLLinkElement>('link[rel=canonical]')
const origin = builtFor ? new URL(builtFor.href).origin : location.origin

if (origin !== location.origin) {
  for (const code of document.querySelectorAll('.expressive-code code, [data-own-origin]')) replaceIn(code)
  for (const button of document.querySelectorAll<HTMLElement>('.expressive-code [data-code]')) {
    button.dataset.code = button.dataset.code!.replaceAll(origin, location.origin)
  }
}

function replaceIn(element: Element): void {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.nodeValue!.includes(origin)) node.nodeValue = node.nodeValue!.replaceAll(origin, location.origin)
  }
}

export {}
