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
  /** The changes of the last releases, each of which is read once. */
  const read = new LRUCache<string, NetChanges>({ max: cachedReleases })
  /** Releases that have a `changes.json`. The file itself may name all clips, so it is not kept. */
  const known = new Set<string>()

  const isKnown = async (id: string, release: Release) => {
    if (known.has(id)) return true
    if (!releaseIdForm.test(id)) return false
    try {
      await release.changes(id)
    } catch (error) {
      if (error instanceof MissingFile) return false
      throw error
    }
    known.add(id)
    return true
  }
  const changesOf = async (id: string, release: Release) => {
    const cached = read.get(id)
    if (cached) return cached
    const { from, to, clips, words } = await release.changes(id)
    const changes = { from, to, clips, words }
    read.set(id, changes)
    return changes
  }
  const answer = async (since: string, release: Release): Promise<Answer | ErrorAnswer> => {
    const to = release.manifest.release
    // A release that never existed would otherwise have every `changes.json` of the tree read.
    const isRelease = since === to || (await isKnown(since, release))
    const net = isRelease ? await netChanges(since, to, (id) => changesOf(id, release)) : null
    if (!net)
      return notFound(`no changes are known since release ${quoteValue(since)}: start again from /corpus`)
    return answers.write(release, since, (out) => out.text(JSON.stringify(net)))
  }
  return ({ since }: ParameterValues<'getChanges'>, { release }: Context): LookUp =>
    () =>
      answers.get(release, since) ?? answer(since, release)
}
