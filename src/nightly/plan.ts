import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { formatProblem } from '#corpus/problem.ts'
import { clipPath, transcriptPath } from '#release/paths.ts'
import { BuildStopped, describeLoss } from './build-stopped.ts'
import { findDamagedFile } from './find-damage.ts'
import type { PublishedClip, State } from '#tree/state.ts'
import type { PlannedClip } from './planned-clip.ts'
import type { SoundText } from './source-text.ts'
import type { Survey } from './survey.ts'

/** The reason why a published clip keeps its record although its source differs. */
export interface Kept {
  clipId: string
  reason: string
}

export interface Plan {
  /** The clips of the release by language and ordinal, until they are indexed. */
  clips: PlannedClip[]
  /** The number of clips that differ from the last release. */
  addedCount: number
  replacedCount: number
  withdrawn: number
  kept: Kept[]
}

/**
 * Plans what to do with every clip, and stores in the state which clips the release has. `replace`
 * contains the ids of clips whose source is published again.
 *
 * @throws {BuildStopped} a damaged transcript, or the record of a clip that returns, cannot be
 *   restored
 */
export function planBuild(
  { acceptedTexts, invalid }: Survey,
  state: State,
  replace: ReadonlySet<string> | 'all',
  outFolder: string,
  damagedTranscripts: ReadonlyMap<string, string>,
): Plan {
  const plan: Plan = { clips: [], addedCount: 0, replacedCount: 0, withdrawn: 0, kept: [] }
  const members = new Set<string>()
  for (const { text, publishedClip } of acceptedTexts) {
    const { clipId, file } = text
    members.add(clipId)
    const isLive = publishedClip && !publishedClip.withdrawn
    if (!isLive) plan.addedCount++
    const isSame = publishedClip?.sourceDigest === text.digest
    const isReturning = publishedClip?.withdrawn && !publishedClip.pruned
    const damagedPath = isReturning
      ? findDamagedFile(publishedClip, outFolder, replace, 'the clip was withdrawn')
      : damagedTranscripts.get(clipId)
    const isNamed = replace !== 'all' && replace.has(clipId)
    const isReplaced = isSame ? isNamed && !!damagedPath : isNamed || replace === 'all'
    if (publishedClip && !publishedClip.pruned && !isReplaced) {
      const clip = { ...publishedClip, source: file, withdrawn: false }
      if (!isLive || publishedClip.source !== file) state.update(clip)
      if (damagedPath && !isSame)
        throw new BuildStopped(describeLoss(damagedPath, clipId, 'its source differs'))
      plan.clips.push({ clip, source: damagedPath ? text.storedSource : null })
      if (!isSame) plan.kept.push({ clipId, reason: `${file} differs from the published version` })
    } else {
      plan.clips.push({ clip: nextClip(text, publishedClip, state, outFolder), source: text.storedSource })
      if (isLive) plan.replacedCount++
    }
  }
  const missingClips = state
    .live()
    .filter(({ clipId }) => !members.has(clipId))
    .toArray()
  for (const clip of missingClips) {
    const { clipId } = clip
    const fault = invalid.get(clipId)
    if (fault) {
      const damagedPath = damagedTranscripts.get(clipId)
      if (damagedPath) throw new BuildStopped(describeLoss(damagedPath, clipId, 'its source is not valid'))
      plan.clips.push({ clip, source: null })
      plan.kept.push({ clipId, reason: `its source is no longer valid: ${formatProblem(fault)}` })
    } else {
      state.update({ ...clip, withdrawn: true })
      plan.withdrawn++
    }
  }
  plan.clips.sort(({ clip: a }, { clip: b }) =>
    a.language === b.language ? a.ordinal - b.ordinal : a.language < b.language ? -1 : 1,
  )
  return plan
}

/** Returns the clip that a text is published as, without its digests. */
function nextClip(
  { clipId, videoId, language, file, digest }: SoundText,
  publishedClip: PublishedClip | null,
  state: State,
  outFolder: string,
): PublishedClip {
  return {
    clipId,
    videoId,
    language,
    ordinal: publishedClip?.language === language ? publishedClip.ordinal : state.nextOrdinal(language),
    revision: nextRevision(clipId, publishedClip?.revision ?? 0, state, outFolder),
    firstRelease: publishedClip?.firstRelease ?? state.head.releases + 1,
    source: file,
    sourceDigest: digest,
    recordDigest: '',
    transcriptDigest: '',
    pruned: false,
    withdrawn: false,
  }
}

/**
 * In an inherited tree, a name under `data/` may have belonged to a clip whose ledger is lost. A
 * clip has at most one record for each release, so a revision above their number is free, even if
 * records were pruned. Existing files show those of releases that are lost, too.
 */
function nextRevision(clipId: string, revision: number, { head }: State, outFolder: string): number {
  if (!head.inherited) return revision + 1
  const isTaken = (path: string) => existsSync(join(outFolder, path))
  let next = Math.max(revision, head.releases) + 1
  while (isTaken(clipPath(clipId, next)) || isTaken(transcriptPath(clipId, next))) next++
  return next
}
