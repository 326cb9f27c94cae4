import { formatProblem } from '#corpus/problem.ts'
import type { Ledger, LedgerEntry } from '#tree/ledger.ts'
import type { Survey, Surveyed } from './survey.ts'

/** Why a published clip keeps its record though its source says something else. */
export interface Kept {
  clipId: string
  reason: string
}

/** What the build is to do with every clip. */
export interface Plan {
  /** Clips whose record is rendered from the source: new ones, published ones that are replaced, and those whose files were pruned. */
  publish: Map<string, Surveyed>
  /** Clips whose published record stays, with the source file they stand in now. */
  stay: Map<string, string>
  added: string[]
  replaced: string[]
  withdrawn: string[]
  kept: Kept[]
}

/**
 * Decides what becomes of every clip.
 *
 * `live` are the clips of the release before, each with the revision of its record; `replace` the ids whose source is to be published anew, or `all`.
 */
export function planBuild(
  survey: Survey,
  ledger: Ledger,
  live: ReadonlyMap<string, number>,
  replace: ReadonlySet<string> | 'all',
): Plan {
  const plan: Plan = { publish: new Map(), stay: new Map(), added: [], replaced: [], withdrawn: [], kept: [] }
  const stay = (clipId: string, source: string, { revision }: LedgerEntry) => {
    plan.stay.set(clipId, source)
    // After a rollback the release before may have an earlier record than was published last.
    if (live.has(clipId) && live.get(clipId) !== revision) plan.replaced.push(clipId)
  }
  for (const [clipId, surveyed] of survey.accepted) {
    const entry = ledger.entries.get(clipId)
    if (!live.has(clipId)) plan.added.push(clipId)
    if (!entry || entry.pruned) {
      plan.publish.set(clipId, surveyed)
    } else if (entry.sourceDigest === surveyed.digest) {
      stay(clipId, surveyed.file, entry)
    } else if (replace === 'all' || replace.has(clipId)) {
      plan.publish.set(clipId, surveyed)
      if (live.has(clipId)) plan.replaced.push(clipId)
    } else {
      stay(clipId, surveyed.file, entry)
      plan.kept.push({ clipId, reason: `${surveyed.file} differs from what is published` })
    }
  }
  for (const clipId of live.keys()) {
    if (survey.accepted.has(clipId)) continue
    const fault = survey.spoilt.get(clipId)
    const entry = ledger.entries.get(clipId)
    if (fault && entry) {
      stay(clipId, entry.source, entry)
      plan.kept.push({ clipId, reason: `its source is no longer valid: ${formatProblem(fault)}` })
    } else {
      plan.withdrawn.push(clipId)
    }
  }
  return plan
}
