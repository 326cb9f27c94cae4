import type { ErrorAnswer } from '#contract/errors.ts'
import { RepeatCache } from '../repeat-cache.ts'
import { matchPath, type Match } from './match.ts'
import { readParameters, type Values } from './read-parameters.ts'
import { splitTarget } from './request-target.ts'

/** What a request target asks for. */
export interface Route {
  match: Match
  /** Read, or what is wrong with them. Shared between requests: not to be changed. */
  parameters: { values: Values } | { error: ErrorAnswer }
}

/**
 * How many targets are remembered, and the longest: what is asked again is mostly clips and words,
 * which are short.
 */
const rememberedTargets = 10_000
const longestRemembered = 256

/**
 * Finds the operation and the parameters that a target names. Both follow from the target alone, so
 * those asked for more than once lately are remembered. Those that come once (a feed of another
 * seed each) are not: what is remembered outlives the young generation of the heap, and collecting
 * it took longer than reading the parameters.
 */
export class Router {
  readonly #routes = new RepeatCache<Route>({ max: rememberedTargets })

  /** Null where nothing has this path. */
  route(url: string): Route | null {
    const known = this.#routes.get(url)
    if (known) return known
    const { path, query } = splitTarget(url)
    const match = matchPath(path)
    if (!match) return null
    const route: Route = { match, parameters: readParameters(match, query) }
    if ('values' in route.parameters && url.length <= longestRemembered && this.#routes.admits(url))
      this.#routes.set(url, route)
    return route
  }
}
