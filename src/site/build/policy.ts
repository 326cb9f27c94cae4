import { hash } from 'node:crypto'
import { policyMaxLength, type SiteFiles } from '#release/site-files.ts'

/** What marks a page that embeds clips. */
const embedding = /<[^>]+\sdata-embeds[\s=>]/
/** The page that sample clips are embedded from. */
const samplePlayer = 'sample-player/index.html'

/**
 * The policy of each page: only those that embed clips may have frames, and only the sample player
 * may be in one.
 */
export function sitePolicies(
  pages: ReadonlyMap<string, string>,
  components: readonly string[],
  embedOrigin: string,
): Pick<SiteFiles, 'policy' | 'policies'> {
  const all = [...pages.values()]
  const embeds = contentSecurityPolicy(all, components, embedOrigin)
  const embedders = [...pages].filter(([, html]) => embedding.test(html))
  const policies = Object.fromEntries(embedders.map(([name]) => [name, embeds]))
  const player = pages.get(samplePlayer)
  if (player) policies[samplePlayer] = contentSecurityPolicy([player], components, `'none'`, '*')
  return { policy: contentSecurityPolicy(all, components, `'none'`), policies }
}

/**
 * The Content-Security-Policy of pages (https://www.w3.org/TR/CSP3/): scripts from the files of the
 * site, and the inline scripts of its components by the hash of their text. Search runs in
 * WebAssembly. Inline styles are allowed: Starlight and the code blocks use style attributes.
 *
 * A script that stands in a page but in no component is not allowed: text of the corpus never adds
 * to the policy.
 *
 * @param components the source of every Astro component
 * @param frames what a page may put into a frame
 * @param ancestors what may put a page into a frame
 * @throws {RangeError} the policy would be longer than a header may be
 */
export function contentSecurityPolicy(
  pages: readonly string[],
  components: readonly string[],
  frames: string,
  ancestors = `'none'`,
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
    `img-src 'self' data:`,
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

/** The text of every inline script of a component, which Astro puts into pages unchanged. */
function inlineScripts(component: string): string[] {
  const scripts = component.matchAll(/<script\b[^>]*\sis:inline\b[^>]*>([\s\S]*?)<\/script>/g)
  return [...scripts].map(([, text]) => text!)
}
