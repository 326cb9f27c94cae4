import { hash } from 'node:crypto'
import { policyMaxLength } from '#release/site-files.ts'

export interface PolicyInput {
  pages: readonly string[]
  /** The source of every Astro component. */
  components: readonly string[]
  /** What a page may put into a frame: origins, or `'self'`. */
  frames: readonly string[]
  /** Whether pages of other origins may put it into a frame. */
  isFramed?: boolean
}

/** What marks a page that embeds clips. */
const embedding = /<[^>]+\sdata-embeds[\s=>]/
/** The page that sample clips are embedded from. */
const samplePlayer = 'sample-player/index.html'

export interface Policies {
  /** That of every page which is not named. */
  policy: string
  /** By file of the site. */
  policies: Record<string, string>
}

/**
 * The policy of each page: only those that embed clips may have frames, and only the sample player
 * may be in one.
 */
export function sitePolicies(
  pages: ReadonlyMap<string, string>,
  components: readonly string[],
  embedOrigin: string,
): Policies {
  const shared = { pages: [...pages.values()], components }
  const embeds = contentSecurityPolicy({ ...shared, frames: [embedOrigin] })
  const exceptions = [...pages].flatMap(([name, html]): [string, string][] => {
    if (name === samplePlayer)
      return [[name, contentSecurityPolicy({ pages: [html], components, frames: [], isFramed: true })]]
    return embedding.test(html) ? [[name, embeds]] : []
  })
  return {
    policy: contentSecurityPolicy({ ...shared, frames: [] }),
    policies: Object.fromEntries(exceptions),
  }
}

/**
 * The Content-Security-Policy of a site (https://www.w3.org/TR/CSP3/): scripts from its own files,
 * and the inline scripts of its components by the hash of their text. Search runs in WebAssembly.
 * Inline styles are allowed: Starlight and the code blocks use style attributes.
 *
 * A script that stands in a page but in no component is not allowed: text of the corpus never adds
 * to the policy.
 *
 * @throws {RangeError} the policy would be longer than a header may be
 */
export function contentSecurityPolicy({ pages, components, frames, isFramed = false }: PolicyInput): string {
  const emitted = new Set(components.flatMap(componentScripts))
  const used = [...emitted].filter((text) => pages.some((html) => html.includes(`>${text}</script>`)))
  const hashes = used.map((text) => `'sha256-${hash('sha256', text, 'base64')}'`).sort()
  const policy = [
    `default-src 'self'`,
    `script-src ${[`'self'`, `'wasm-unsafe-eval'`, ...hashes].join(' ')}`,
    `style-src 'self' 'unsafe-inline'`,
    `img-src 'self' data:`,
    `frame-src ${frames.join(' ') || `'none'`}`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors ${isFramed ? '*' : `'none'`}`,
  ].join('; ')
  if (policy.length > policyMaxLength) {
    throw new RangeError(
      `the Content-Security-Policy must have at most ${policyMaxLength} characters, its ${hashes.length} inline scripts make it ${policy.length}`,
    )
  }
  return policy
}

/** The text of every inline script of a component, which Astro puts into pages unchanged. */
function componentScripts(source: string): string[] {
  return [...source.matchAll(/<script\b[^>]*\sis:inline\b[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, text]) => text!,
  )
}
