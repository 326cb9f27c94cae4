import { countText } from '#kit/count-text.ts'
import { checkRecord } from '../problem.ts'
import { sourceClipSchema, type SourceClip, type SourceCue } from '../source-clip.ts'
import type { CueTally } from './cue-tally.ts'
import { primaryLanguage } from './languages.ts'
import { Rejection, Skip } from './rejection.ts'
import { sidecarsOf } from './video/file-names.ts'
import type { Metadata } from './video/metadata.ts'

/** How far a cue may extend past the end, in seconds: durations are rounded (contract 2). */
const slackS = 1

/** The fields that every clip needs, and how to provide them for one file and for several. */
const requiredFields = {
  videoId: { name: 'video id', flag: '--video-id', forSeveral: '--name-pattern' },
  title: { name: 'title', flag: '--title', forSeveral: '--name-pattern' },
  channelId: { name: 'channel id', flag: '--channel-id', forSeveral: '--channel-id' },
  channelName: { name: 'channel name', flag: '--channel-name', forSeveral: '--channel-name' },
  level: { name: 'level', flag: '--level', forSeveral: '--level' },
}

/**
 * Builds a clip of the source corpus. Without a duration, it lasts until its last cue ends, rounded
 * up; with one, cues are cut at the end.
 *
 * @throws {Rejection} something is missing, or the source corpus would reject the clip
 * @throws {Skip} the metadata has another language
 */
export function toClip(
  cues: readonly SourceCue[],
  metadata: Metadata,
  { name, language, isOneOfSeveral }: { name: string; language: string; isOneOfSeveral: boolean },
  tally: CueTally,
): SourceClip {
  const namedLanguage = metadata.language === undefined ? undefined : primaryLanguage(metadata.language)
  if (namedLanguage !== undefined && namedLanguage !== language)
    throw new Skip(
      `is in "${metadata.language}" according to its metadata. Import it with --language ${namedLanguage}`,
    )
  refuseMissing(metadata, name, isOneOfSeveral)
  const durationS = metadata.durationS ?? Math.ceil(cues.reduce((end, cue) => Math.max(end, cue.tEnd), 0))
  const result = checkRecord(sourceClipSchema, {
    videoId: metadata.videoId,
    title: metadata.title,
    language,
    level: metadata.level,
    durationS,
    channel: { id: metadata.channelId, name: metadata.channelName },
    cues: cutAtEnd(cues, durationS, tally),
  })
  if (!result.ok)
    throw new Rejection(
      `cannot become a clip: ${result.field === undefined ? '' : `${result.field} `}${result.reason}`,
    )
  return result.value
}

function refuseMissing(metadata: Metadata, name: string, isOneOfSeveral: boolean): void {
  const fields = Object.keys(requiredFields) as (keyof typeof requiredFields)[]
  const missing = fields
    .filter((field) => metadata[field] === undefined)
    .map((field) => requiredFields[field])
  if (missing.length === 0) return
  const names = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
    missing.map((field) => field.name),
  )
  const flags = new Set(missing.map(({ flag, forSeveral }) => (isOneOfSeveral ? forSeveral : flag)))
  const sidecars = sidecarsOf(name).filter((sidecar) => !/\.(?:player|innertube)\.json$/.test(sidecar))
  throw new Rejection(
    `has no ${names}. Give ${[...flags].join(', ')}, --metadata, or a sidecar (${sidecars.join(', ')})`,
  )
}

/**
 * Cuts the cues at the end of the video: drops those that start after it, and shortens those that
 * extend more than 1 s past it.
 *
 * @throws {Rejection} more than a quarter of the cues are after the end: the metadata belongs to
 *   another video
 */
function cutAtEnd(cues: readonly SourceCue[], durationS: number, tally: CueTally): SourceCue[] {
  const inside = cues.filter((cue) => cue.tStart <= durationS)
  const lateCount = cues.length - inside.length
  if (lateCount * 4 > cues.length) {
    throw new Rejection(
      `has ${lateCount} of ${countText(cues.length, 'cue')} after the end of the video (${durationS} s), so the metadata must belong to another video`,
    )
  }
  tally.drop('after the end of the video', lateCount)
  tally.cues.out -= lateCount
  return inside.map((cue) => {
    if (cue.tEnd <= durationS + slackS) return cue
    tally.repair('end past the end of the video: cut')
    const words = cue.words?.map((word) => ({
      ...word,
      tStart: Math.min(word.tStart, durationS),
      tEnd: Math.min(word.tEnd, durationS),
    }))
    return { ...cue, tEnd: durationS, ...(words && { words }) }
  })
}
