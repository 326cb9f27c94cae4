import { notFound } from '#contract/errors.ts'
import type { ParameterValues } from '#contract/parameter-values.ts'
import { quoteValue } from '#contract/quote-value.ts'
import { changesText, NetChange, stepsBetween, type NetChanges } from '#release/changes.ts'
import { releaseNumber } from '#release/paths.ts'
import { releaseIdForm } from '#release/release-ids.ts'
import type { Release } from '#release/release.ts'
import { nullIfMissing } from '#release/tree.ts'
import { Body, payloadOf } from '../http/body.ts'
import type { Handler } from '../http/handler.ts'
import type { Job } from '../turns.ts'

/** The cost of an id, in the units of a job. */
const workPerId = 200

/** GET /changes (contract 1.6). */
export const changes: Handler<ParameterValues<'getChanges'>> = {
  // An answer since a first release may take 100 MB while it is computed.
  makingMax: 4,
  async answer({ since }, { release, job }) {
    const net = await nullIfMissing(netChanges(since, release, job))
    if (!net)
      return notFound(
        `The changes since release ${quoteValue(since)} are not available. If you cache clips, start again from /corpus.`,
      )
    // The request determines `from`, so `net.to` identifies the answer without computing a digest.
    return new Body(payloadOf(await bytesOf(net, job)), net.to)
  },
}

/** Returns the bytes of the answer, which are written in turns. */
async function bytesOf(net: NetChanges, job: Job): Promise<Buffer> {
  const pieces: Buffer[] = []
  for (const piece of changesText(net)) {
    pieces.push(Buffer.from(piece))
    await job.spend(piece.length)
  }
  return Buffer.concat(pieces)
}

/** Returns the net changes since a release; null if they are not known. @throws {TreeFault} */
async function netChanges(since: string, release: Release, job: Job): Promise<NetChanges | null> {
  const { manifest } = release
  const to = manifest.release
  if (!releaseIdForm.test(since)) return null
  // After a rollback, the release in service is the older one.
  const isBack = releaseNumber(since) > releaseNumber(to)
  const newest = isBack ? await release.manifestOf(since) : manifest
  const steps = newest && stepsBetween(newest, since, to)
  if (!steps) return null
  const net = new NetChange(isBack)
  for (const step of isBack ? steps.reverse() : steps)
    await job.run(net.add(await release.changes(step)), workPerId)
  return { from: since, to, ...(await job.run(net.result(), workPerId)) }
}
