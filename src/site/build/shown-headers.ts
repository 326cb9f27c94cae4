const names = /^(content-type|cache-control|etag|www-authenticate|retry-after|allow|x-ratelimit-.*)$/

/** Returns the headers of a response that the pages show: those that a client reads. */
export function shownHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => names.test(name)))
}
