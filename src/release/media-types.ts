import types from './media-types.json' with { type: 'json' }

/** Returns the media type of a file of a site, by its extension. */
export function mediaType(path: string): string {
  const extension = /\.(\w+)$/.exec(path)?.[1] ?? ''
  return (types as Record<string, string>)[extension] ?? 'application/octet-stream'
}

/** Whether compression reduces the size. Pictures, fonts and Pagefind's files are compressed. */
export function isCompressible(type: string): boolean {
  return /^(text\/|application\/(json|xml|wasm|manifest)|image\/svg)/.test(type)
}
