import { LRUCache } from 'lru-cache'
import { notFound, type ErrorAnswer } from '#contract/errors.ts'
import type { ParameterValues } from '#contract/parameter-values.ts'
import { quoteValue } from '#contract/quote-value.ts'
import { netChanges, type NetChanges } from '#release/changes.ts'
import { releaseIdForm } from '#release/release-ids.ts'
import type { Release } from '#release/release.ts'
import { MissingFile } from '#release/tree.ts'
import type { AnswerCache } from '../http/answer-cache.ts'
import type { Answer, Context, LookUp } from '../http/handler.ts'

/** How many releases' changes are cached. Requests are for changes since one of the last. */
const cachedReleases = 64

/** GET /changes (contract 1.6). */
export function prepareChanges(answers: AnswerCache) {
  const changes = new ChangesOfReleases()
  const answer = async (since: string, release: Release): Promise<Answer | ErrorAnswer> => {
    const net = await changes.between(since, release)
    if (!net)
      return notFound(`no changes are known since release ${quoteValue(since)}: start again from /corpus`)
    return answers.write(release, since, (out) => out.text(JSON.stringify(net)))
  }
  return ({ since }: ParameterValues<'getChanges'>, { release }: Context): LookUp =>
    () =>
      answers.get(release, since) ?? answer(since, release)
}

/** The changes of the last releases, each of which is read once. */
class ChangesOfReleases {
  readonly #read = new LRUCache<string, NetChanges>({ max: cachedReleases })
  /** Releases that have a `changes.json`. The file itself may name all clips, so it is not kept. */
  readonly #known = new Set<string>()

  /** The net changes from a release to the one in service; null where they are not known. */
  async between(since: string, release: Release): Promise<NetChanges | null> {
    const to = release.manifest.release
    // A release that never existed would otherwise have every `changes.json` of the tree read.
    if (since !== to && !(await this.#isKnown(since, release))) return null
    return netChanges(since, to, (id) => this.#of(id, release))
  }

  async #isKnown(id: string, release: Release): Promise<boolean> {
    if (this.#known.has(id)) return true
    if (!releaseIdForm.test(id)) return false
    try {
      await release.changes(id)
    } catch (error) {
      if (error instanceof MissingFile) return false
      throw error
    }
    this.#known.add(id)
    return true
  }

  async #of(id: string, release: Release): Promise<NetChanges> {
    const known = this.#read.get(id)
    if (known) return known
    const { from, to, clips, words } = await release.changes(id)
    const changes = { from, to, clips, words }
    this.#read.set(id, changes)
    return changes
  }
}
