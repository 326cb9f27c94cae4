import { mediaType } from '#release/media-types.ts'
import type { FileHeaders } from './target.ts'

const immutable = 'public, max-age=31536000, immutable'

/** The headers that a file of the tree is published with: those of `_headers`. */
export function fileHeaders(path: string): FileHeaders {
  return { contentType: mediaType(path), cacheControl: cacheControlOf(path) }
}

function cacheControlOf(path: string): string {
  if (/^(data|releases|site\/_astro)\//.test(path)) return immutable
  return path.includes('/') ? 'no-cache' : 'public, max-age=60'
}
