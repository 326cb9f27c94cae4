const names = /^(content-type|cache-control|etag|www-authenticate|retry-after|allow|x-ratelimit-.*)$/

/** The headers of an answer that the pages show: those that a client looks at. */
export function shownHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => names.test(name)))
}
