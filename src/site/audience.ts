/** The readers of a page: people who call the API, or people who run the service. */
export type Audience = 'users' | 'operators'

/** The name of each audience's part of the docs, and the page on which it starts. */
export const audiences = [
  { audience: 'users', label: 'Use the API', start: '/quick-start/' },
  { audience: 'operators', label: 'Run your own', start: '/operate/overview/' },
] as const satisfies { audience: Audience; label: string; start: string }[]

/** Returns the audience of the page at a path such as `/operate/serve/`. */
export function audienceOf(path: string): Audience {
  return /^\/(operate|design|decisions)\//.test(path) ? 'operators' : 'users'
}
