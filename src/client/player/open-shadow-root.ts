/** Opens the shadow root of an element, with its markup and style. */
export function openShadowRoot(host: HTMLElement, markup: string, style: string): ShadowRoot {
  const root = host.attachShadow({ mode: 'open' })
  root.innerHTML = markup
  // A Content-Security-Policy without 'unsafe-inline' would block a style element.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  root.adoptedStyleSheets = [sheet]
  return root
}
