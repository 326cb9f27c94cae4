import { LRUCache } from 'lru-cache'
import { notFound, type ErrorAnswer } from '#contract/errors.ts'
import type { ParameterValues } from '#contract/parameter-values.ts'
import { quoteValue } from '#contract/quote-value.ts'
import {
  changesText,
  inverse,
  netOf,
  parseIds,
  stepsBetween,
  type Change,
  type NetChanges,
  type PastRelease,
} from '#release/changes.ts'
import type { Manifest } from '#release/manifest.ts'
import { releaseNumber } from '#release/paths.ts'
import { releaseIdForm } from '#release/release-ids.ts'
import type { Release } from '#release/release.ts'
import { nullIfMissing } from '#release/tree.ts'
import type { AnswerCache } from '../http/answer-cache.ts'
import type { Answer, Context, LookUp } from '../http/handler.ts'
import { inTurns, spend } from '../turns.ts'

type Ids = Pick<NetChanges, 'clips' | 'words'>

/** How many ids are cached, of steps that were read. */
const cachedIds = 200_000
/** What an id costs, in the units of `inTurns`. */
const workPerId = 200

/** GET /changes (contract 1.6). */
export function prepareChanges(answers: AnswerCache) {
  const read = new LRUCache<string, Ids>({ maxSize: cachedIds, sizeCalculation: sizeOf })

  const idsOf = async (step: PastRelease, release: Release): Promise<Ids> => {
    const cached = read.get(step.release)
    if (cached) return cached
    const ids = await inTurns(parseIds(await release.changes(step)), workPerId)
    read.set(step.release, ids)
    return ids
  }
  const answer = async (since: string, release: Release): Promise<Answer | ErrorAnswer> => {
    const net = await nullIfMissing(netChanges(since, release, idsOf))
    if (!net)
      return notFound(`no changes are known since release ${quoteValue(since)}: start again from /corpus`)
    const pieces: string[] = []
    for (const piece of changesText(net)) {
      pieces.push(piece)
      await spend(piece.length)
    }
    return answers.write(release, since, (out) => pieces.forEach((piece) => out.text(piece)))
  }
  return ({ since }: ParameterValues<'getChanges'>, { release }: Context): LookUp =>
    () =>
      answers.get(release, since) ?? answer(since, release)
}

/** The net changes since a release; null if they are not known. @throws {TreeFault} */
async function netChanges(
  since: string,
  release: Release,
  idsOf: (step: PastRelease, release: Release) => Promise<Ids>,
): Promise<NetChanges | null> {
  const { manifest } = release
  const to = manifest.release
  const newest = await newestOf(since, release)
  const steps = newest && stepsBetween(newest, since, to)
  if (!steps) return null
  const ids: Ids[] = []
  for (const step of steps) ids.push(await idsOf(step, release))
  // The release in service is the older one after a rollback.
  const isBack = newest !== manifest
  const net = <Id extends string | number>(changes: Change<Id>[]) =>
    inTurns(netOf(isBack ? changes.reverse().map(inverse) : changes), workPerId)
  return {
    from: since,
    to,
    clips: await net(ids.map(({ clips }) => clips)),
    words: await net(ids.map(({ words }) => words)),
  }
}

/** The manifest of the newer one of a release and that in service; null if there is no such release. */
async function newestOf(since: string, { manifest, manifestOf }: Release): Promise<Manifest | null> {
  if (!releaseIdForm.test(since)) return null
  return releaseNumber(since) <= releaseNumber(manifest.release) ? manifest : await manifestOf(since)
}

function sizeOf({ clips, words }: Ids): number {
  const lists = [clips, words].flatMap((change): unknown[][] => Object.values(change))
  return lists.reduce((sum, { length }) => sum + length, 1)
}
