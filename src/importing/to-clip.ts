import { checkRecord } from '#corpus/parse-record.ts'
import { sourceClipSchema, type SourceClip, type SourceCue } from '#corpus/source-clip.ts'
import type { CueTally } from './cue-tally.ts'
import { primaryLanguage } from './languages.ts'
import type { Metadata } from './video/metadata.ts'
import { Rejection, Skip } from './rejection.ts'

/** How far a cue may extend past the end, in seconds: durations are rounded (contract 2). */
const slackS = 1

/**
 * The fields that every clip needs, and how to provide them: for one file, and for several, for
 * which no flag can give different values.
 */
const required = {
  videoId: { name: 'video id', flag: '--video-id', forSeveral: '--name-pattern' },
  title: { name: 'title', flag: '--title', forSeveral: '--name-pattern' },
  channelId: { name: 'channel id', flag: '--channel-id', forSeveral: '--channel-id' },
  channelName: { name: 'channel name', flag: '--channel-name', forSeveral: '--channel-name' },
  level: { name: 'level', flag: '--level', forSeveral: '--level' },
} as const satisfies Partial<Record<keyof Metadata, object>>

/** How the metadata of a file could have been provided, for the message that it is missing. */
interface MetadataWays {
  /** The names of the sidecars that were searched for. */
  sidecars: readonly string[]
  /** The file is one of several. */
  several: boolean
}

/**
 * Builds a clip of the source corpus. Without a duration it lasts until its last cue ends, rounded
 * up; with one, cues are cut at its end.
 *
 * @throws {Rejection} something is missing, or the source corpus would reject the clip
 * @throws {Skip} the metadata says another language
 */
export function toClip(
  cues: readonly SourceCue[],
  metadata: Metadata,
  language: string,
  ways: MetadataWays,
  tally: CueTally,
): SourceClip {
  checkLanguage(metadata, language)
  refuseMissing(metadata, ways)
  const lengthS = metadata.durationS ?? Math.ceil(cues.reduce((end, cue) => Math.max(end, cue.tEnd), 0))
  const parsed = checkRecord(sourceClipSchema, {
    videoId: metadata.videoId,
    title: metadata.title,
    language,
    level: metadata.level,
    durationS: lengthS,
    channel: { id: metadata.channelId, name: metadata.channelName },
    cues: cutAtEnd(cues, lengthS, tally),
  })
  if (!parsed.ok) throw new Rejection(`${parsed.field ?? 'clip'}: ${parsed.reason}`)
  return parsed.value
}

function checkLanguage({ language: said }: Metadata, language: string): void {
  const code = said === undefined ? undefined : primaryLanguage(said)
  if (code !== undefined && code !== language) {
    throw new Skip(`its metadata says language "${said}": import it with --language ${code}`)
  }
}

function refuseMissing(metadata: Metadata, { sidecars, several }: MetadataWays): void {
  const fields = Object.keys(required) as (keyof typeof required)[]
  const missing = fields.filter((field) => metadata[field] === undefined).map((field) => required[field])
  if (missing.length === 0) return
  const names = missing.map(({ name }) => name).join(', ')
  const flags = new Set(missing.map(({ flag, forSeveral }) => (several ? forSeveral : flag)))
  throw new Rejection(
    `has no ${names}: give ${[...flags].join(', ')}, --metadata, or a sidecar (${sidecars.join(', ')})`,
  )
}

/**
 * Cuts the cues at the end of the video: those that begin after it are dropped, those that extend
 * more than 1 s past it end there.
 *
 * @throws {Rejection} more than a quarter of the cues are after the end: the metadata is of another
 *   video
 */
function cutAtEnd(cues: readonly SourceCue[], durationS: number, tally: CueTally): SourceCue[] {
  const inside = cues.filter((cue) => cue.tStart <= durationS)
  const gone = cues.length - inside.length
  if (gone * 4 > cues.length) {
    throw new Rejection(
      `${gone} of its ${cues.length} cues begin after the end of the video at ${durationS} s: the metadata is of another video`,
    )
  }
  tally.drop('after the end of the video', gone)
  tally.cuesOut -= gone
  return inside.map((cue) => {
    if (cue.tEnd <= durationS + slackS) return cue
    tally.repair('end past the end of the video: cut')
    return cutCue(cue, durationS)
  })
}

function cutCue(cue: SourceCue, durationS: number): SourceCue {
  const words = cue.words?.map((word) => ({
    ...word,
    tStart: Math.min(word.tStart, durationS),
    tEnd: Math.min(word.tEnd, durationS),
  }))
  return { ...cue, tEnd: Math.max(durationS, cue.tStart), ...(words && { words }) }
}
