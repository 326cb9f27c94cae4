/** The origin that the pages name: the one that the site was built for. */
const canonical = document.querySelector<HTMLLinkElement>('link[rel=canonical]')
const builtFor = new URL(canonical?.href ?? location.href).origin

/** Whether the site is served elsewhere than it was built for. */
export const isElsewhere = builtFor !== location.origin

/** The text with the origin that the site was built for replaced by the one it is served at. */
export function ownAddresses(text: string): string {
  return isElsewhere ? text.replaceAll(builtFor, location.origin) : text
}

/** The embed URL of a clip; the sample player is that of this site, wherever the clip was built. */
export function ownEmbedUrl(embedUrl: string): string {
  const { pathname, search } = new URL(embedUrl)
  return pathname === '/sample-player/' ? location.origin + pathname + search : embedUrl
}
