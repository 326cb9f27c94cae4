import { hash } from 'node:crypto'
import { policyMaxLength, type SiteFiles } from '#release/site-files.ts'

/** Matches an element with the attribute that marks a page with embedded clips. */
const embedding = /<[^>]+\sdata-embeds[\s=>]/
/** The page that plays sample clips in a frame. */
const samplePlayer = 'sample-player/index.html'

/**
 * Returns the policy of each page. Only pages that embed clips can contain frames, and only the
 * sample player can be in a frame.
 */
export function sitePolicies(
  pages: ReadonlyMap<string, string>,
  components: readonly string[],
  embedOrigin: string,
): Pick<SiteFiles, 'policy' | 'policies'> {
  const all = [...pages.values()]
  const embeds = contentSecurityPolicy(all, components, embedOrigin, `'none'`, posterOrigin(embedOrigin))
  const embedders = [...pages].filter(([, html]) => embedding.test(html))
  const policies = Object.fromEntries(embedders.map(([name]) => [name, embeds]))
  const player = pages.get(samplePlayer)
  if (player) policies[samplePlayer] = contentSecurityPolicy([player], components, `'none'`, '*')
  return { policy: contentSecurityPolicy(all, components, `'none'`), policies }
}

/**
 * Returns the Content-Security-Policy of pages (https://www.w3.org/TR/CSP3/). It allows the site's
 * script files, and inline scripts of components by their hashes. WebAssembly is allowed for the
 * search, and inline styles because Starlight and the code blocks use style attributes.
 *
 * A script that is in a page but not in a component is not allowed, so that text from the corpus
 * cannot extend the policy.
 *
 * @param components the source text of every Astro component
 * @param frames the sources that pages can embed in a frame
 * @param ancestors the sources that can embed the pages in a frame
 * @param posters the source of the pictures of videos
 * @throws {RangeError} the policy is too long for a header
 */
export function contentSecurityPolicy(
  pages: readonly string[],
  components: readonly string[],
  frames: string,
  ancestors = `'none'`,
  posters = '',
): string {
  const componentScripts = new Set(components.flatMap(inlineScripts))
  const pageScripts = [...componentScripts].filter((text) =>
    pages.some((html) => html.includes(`>${text}</script>`)),
  )
  const hashes = pageScripts.map((text) => `'sha256-${hash('sha256', text, 'base64')}'`).sort()
  const policy = [
    `default-src 'self'`,
    `script-src ${[`'self'`, `'wasm-unsafe-eval'`, ...hashes].join(' ')}`,
    `style-src 'self' 'unsafe-inline'`,
    `img-src 'self' data: ${posters}`.trimEnd(),
    `frame-src ${frames}`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors ${ancestors}`,
  ].join('; ')
  if (policy.length > policyMaxLength) {
    throw new RangeError(
      `the Content-Security-Policy must have at most ${policyMaxLength} characters, its ${hashes.length} inline scripts make it ${policy.length}`,
    )
  }
  return policy
}

/** Returns the origin of the pictures that the player shows of videos embedded from an origin. */
function posterOrigin(embedOrigin: string): string {
  return /^https:\/\/www\.youtube(-nocookie)?\.com$/.test(embedOrigin) ? 'https://i.ytimg.com' : ''
}

/** Returns the inline scripts of a component, which Astro copies into pages unchanged. */
function inlineScripts(component: string): string[] {
  const scripts = component.matchAll(/<script\b[^>]*\sis:inline\b[^>]*>([\s\S]*?)<\/script>/g)
  return [...scripts].map(([, text]) => text!)
}
