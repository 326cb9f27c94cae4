import type { ErrorAnswer } from '#contract/errors.ts'
import { RepeatCache } from '../repeat-cache.ts'
import { matchPath, type Match } from './match.ts'
import { readParameters, type Values } from './read-parameters.ts'
import { splitTarget } from './request-target.ts'

/** The operation and the parameters that a request target names. Shared between requests. */
export class Route {
  readonly match: Match
  readonly #query: string
  #parameters: { values: Values } | { error: ErrorAnswer } | undefined

  constructor(match: Match, query: string) {
    this.match = match
    this.#query = query
  }

  /** Their values, or what is wrong with them: read when first asked for. */
  get parameters(): { values: Values } | { error: ErrorAnswer } {
    return (this.#parameters ??= readParameters(this.match, this.#query))
  }
}

/**
 * How many targets are cached, and their greatest length. Repeated requests are mostly for clips
 * and words, whose targets are short.
 */
const maxTargets = 10_000
const maxTargetLength = 256

/**
 * Finds the operation and the parameters that a target names. Both follow from the target alone, so
 * those of repeated targets are cached. Targets that come once, such as a feed with a new seed, are
 * not: a cached route outlives the young generation of the heap, and collecting it took longer than
 * reading the parameters.
 */
export class Router {
  readonly #routes = new RepeatCache<Route>({ max: maxTargets })

  /** Null if no operation has this path. */
  route(url: string): Route | null {
    const cached = this.#routes.get(url)
    if (cached) return cached
    const { path, query } = splitTarget(url)
    const match = matchPath(path)
    if (!match) return null
    const route = new Route(match, query)
    if (url.length <= maxTargetLength && this.#routes.admits(url)) this.#routes.set(url, route)
    return route
  }
}
