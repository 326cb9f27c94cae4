/**
 * The origins that the pages name: the one that the site was built for, and the one that
 * `npm start` serves at.
 */
const canonical = document.querySelector<HTMLLinkElement>('link[rel=canonical]')
const builtFor = new Set(['http://127.0.0.1:8080', new URL(canonical?.href ?? location.href).origin])
const foreign = [...builtFor].filter((origin) => origin !== location.origin)

/** Whether the site is served elsewhere than it was built for. */
export const isElsewhere = foreign.length > 0

/** The text with the origins that the site was built for replaced by the one it is served at. */
export function ownAddresses(text: string): string {
  return foreign.reduce((result, origin) => result.replaceAll(origin, location.origin), text)
}
