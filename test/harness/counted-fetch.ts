/**
 * Returns a `fetch` for a client that counts requests and can disturb them.
 *
 * @param disturb responds to a request instead of the service, or returns nothing
 */
export function countedFetch(disturb: (url: string) => Response | undefined = () => undefined) {
  const counted = {
    /** The paths and queries of all requests. */
    requests: [] as string[],
    /** The number of requests in progress. */
    inFlight: 0,
    async fetch(url: string, init: RequestInit): Promise<Response> {
      const { pathname, search } = new URL(url)
      counted.requests.push(pathname + search)
      counted.inFlight++
      try {
        const response = disturb(url) ?? (await fetch(url, init))
        const headers = new Headers(response.headers)
        // Browsers hide it from other origins, and Node does not use a test's clock for it.
        headers.delete('date')
        return new Response(await response.text(), { status: response.status, headers })
      } finally {
        counted.inFlight--
      }
    },
  }
  return counted
}
