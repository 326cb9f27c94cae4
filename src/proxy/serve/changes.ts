import { notFound } from '#contract/errors.ts'
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
} from '#release/changes.ts'
import type { Manifest } from '#release/manifest.ts'
import { releaseNumber } from '#release/paths.ts'
import { releaseIdForm } from '#release/release-ids.ts'
import type { Release } from '#release/release.ts'
import { nullIfMissing } from '#release/tree.ts'
import { textBody } from '../http/body.ts'
import type { Handler } from '../http/handler.ts'
import { inTurns, spend } from '../turns.ts'

type Ids = Pick<NetChanges, 'clips' | 'words'>

/** What an id costs, in the units of `inTurns`. */
const workPerId = 200

/** GET /changes (contract 1.6). */
export const changes: Handler<ParameterValues<'getChanges'>> = {
  async answer({ since }, { release }) {
    const net = await nullIfMissing(netChanges(since, release))
    if (!net)
      return notFound(`no changes are known since release ${quoteValue(since)}: start again from /corpus`)
    const pieces: string[] = []
    for (const piece of changesText(net)) {
      pieces.push(piece)
      await spend(piece.length)
    }
    return textBody(pieces.join(''))
  },
}

/** The net changes since a release; null if they are not known. @throws {TreeFault} */
async function netChanges(since: string, release: Release): Promise<NetChanges | null> {
  const { manifest } = release
  const to = manifest.release
  const newest = await newestOf(since, release)
  const steps = newest && stepsBetween(newest, since, to)
  if (!steps) return null
  const ids: Ids[] = []
  for (const step of steps) ids.push(await inTurns(parseIds(await release.changes(step)), workPerId))
  // The release in service is the older one after a rollback.
  const isBack = newest !== manifest
  const net = <Id extends string | number>(some: Change<Id>[]) =>
    inTurns(netOf(isBack ? some.reverse().map(inverse) : some), workPerId)
  return {
    from: since,
    to,
    clips: await net(ids.map(({ clips }) => clips)),
    words: await net(ids.map(({ words }) => words)),
  }
}

/**
 * The manifest of the newer one of a release and that in service; null if there is no such release.
 */
async function newestOf(since: string, { manifest, manifestOf }: Release): Promise<Manifest | null> {
  if (!releaseIdForm.test(since)) return null
  return releaseNumber(since) <= releaseNumber(manifest.release) ? manifest : await manifestOf(since)
}
