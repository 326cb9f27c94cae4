/** A `fetch` for a client, which counts and can disturb what it sends. */
export interface CountedFetch {
  fetch(url: string, init: RequestInit): Promise<Response>
  /** The paths and queries of all requests. */
  requests: string[]
  /** Requests that are on their way. */
  inFlight: number
}

/** @param disturb answers a request in the place of the service, or returns nothing */
export function countedFetch(disturb: (url: string) => Response | undefined = () => undefined): CountedFetch {
  const counted: CountedFetch = {
    requests: [],
    inFlight: 0,
    async fetch(url, init) {
      const { pathname, search } = new URL(url)
      counted.requests.push(pathname + search)
      counted.inFlight++
      try {
        const response = disturb(url) ?? (await fetch(url, init))
        const headers = new Headers(response.headers)
        // Browsers hide it from other origins, and Node does not write a test's time into it.
        headers.delete('date')
        return new Response(await response.text(), { status: response.status, headers })
      } finally {
        counted.inFlight--
      }
    },
  }
  return counted
}
