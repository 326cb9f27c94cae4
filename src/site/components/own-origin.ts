import { sessionKey } from './service.ts'

/**
 * Makes the examples work on the origin that serves the site, if it was built for another. Copied
 * examples also get the key of this tab.
 */
const canonical = document.querySelector<HTMLLinkElement>('link[rel=canonical]')
const builtFor = new URL(canonical?.href ?? location.href).origin

for (const code of document.querySelectorAll('.expressive-code code, [data-own-origin]')) {
  const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.nodeValue!.includes(builtFor))
      node.nodeValue = node.nodeValue!.replaceAll(builtFor, location.origin)
  }
}
for (const { dataset } of document.querySelectorAll<HTMLElement>('[data-code]')) {
  dataset.code = dataset.code!.replaceAll(builtFor, location.origin)
  if (sessionKey() !== '') dataset.code = dataset.code.replaceAll('YOUR_KEY', sessionKey())
}
