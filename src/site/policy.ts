import { createHash } from 'node:crypto'

/**
 * The Content-Security-Policy of a site (https://www.w3.org/TR/CSP3/): scripts from its own files, and those that stand in its pages by the hash of their text. A
 * search runs in WebAssembly. Styles may stand in a page: Starlight and the code blocks put theirs into attributes.
 */
export function contentSecurityPolicy(pages: readonly string[], embedOrigins: readonly string[]): string {
  const hashes = new Set(pages.flatMap(inlineScripts).map((text) => `'sha256-${sha256Base64(text)}'`))
  return [
    `default-src 'self'`,
    `script-src 'self' 'wasm-unsafe-eval' ${[...hashes].sort().join(' ')}`.trim(),
    `style-src 'self' 'unsafe-inline'`,
    `img-src 'self' data:`,
    `frame-src ${embedOrigins.join(' ') || `'none'`}`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ].join('; ')
}

/** The text of every script in a page that runs and is not a file of its own. */
export function inlineScripts(html: string): string[] {
  const scripts = [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/gi)]
  return scripts
    .filter(([, attributes]) => !/\ssrc\s*=/i.test(attributes!) && !/type="application\//i.test(attributes!))
    .map(([, , text]) => text!)
}

function sha256Base64(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
