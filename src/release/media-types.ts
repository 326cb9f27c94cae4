/** The media types of the files of a site, by their extension. */
const types: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  wasm: 'application/wasm',
  webmanifest: 'application/manifest+json',
  webp: 'image/webp',
  woff2: 'font/woff2',
  xml: 'application/xml; charset=utf-8',
}

export function mediaType(path: string): string {
  return types[/\.(\w+)$/.exec(path)?.[1] ?? ''] ?? 'application/octet-stream'
}

/**
 * Whether compression saves anything. Pictures, fonts and Pagefind's own files are compressed
 * already.
 */
export function isCompressible(type: string): boolean {
  return /^(text\/|application\/(json|xml|wasm|manifest)|image\/svg)/.test(type)
}
