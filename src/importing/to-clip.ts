import { checkTimes } from '#corpus/check-times.ts'
import { fieldPath } from '#corpus/problem.ts'
import { sourceClipSchema, type SourceClip, type SourceCue } from '#corpus/source-clip.ts'
import type { Account } from './account.ts'
import { cutAtEnd } from './cut-at-end.ts'
import { primaryLanguage } from './languages.ts'
import type { Metadata } from './metadata.ts'
import { Rejection, Skip } from './rejection.ts'

/** What must be known of a video, and how a person gives it. */
const required = {
  videoId: ['video id', '--video-id'],
  title: ['title', '--title'],
  channelId: ['channel id', '--channel-id'],
  channelName: ['channel name', '--channel-name'],
  level: ['level', '--level'],
} as const satisfies Partial<Record<keyof Metadata, readonly [string, string]>>

/**
 * Makes a clip of the source corpus. Without a duration it lasts until its last cue ends, rounded up; with one, cues are cut at its end.
 *
 * @param sidecars the names under which metadata was looked for, for the message
 * @throws {Rejection} something is missing, or the source corpus would refuse the clip
 * @throws {Skip} the metadata says another language
 */
export function toClip(
  cues: readonly SourceCue[],
  metadata: Metadata,
  language: string,
  sidecars: readonly string[],
  account: Account,
): SourceClip {
  checkLanguage(metadata, language)
  refuseMissing(metadata, sidecars)
  const lengthS = metadata.durationS ?? Math.ceil(cues.reduce((end, cue) => Math.max(end, cue.tEnd), 0))
  const parsed = sourceClipSchema.safeParse({
    videoId: metadata.videoId,
    title: metadata.title,
    language,
    level: metadata.level,
    durationS: lengthS,
    channel: { id: metadata.channelId, name: metadata.channelName },
    cues: cutAtEnd(cues, lengthS, account),
  })
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!
    throw new Rejection(`${fieldPath(path) ?? 'clip'}: ${message}`)
  }
  const fault = checkTimes(parsed.data)
  if (fault) throw new Rejection(`${fault.field}: ${fault.reason}`)
  return parsed.data
}

function checkLanguage({ language: said }: Metadata, language: string): void {
  const code = said === undefined ? undefined : primaryLanguage(said)
  if (code !== undefined && code !== language) {
    throw new Skip(`its metadata says language "${said}": import it with --language ${code}`)
  }
}

function refuseMissing(metadata: Metadata, sidecars: readonly string[]): void {
  const missing = Object.entries(required).filter(
    ([field]) => metadata[field as keyof Metadata] === undefined,
  )
  if (missing.length === 0) return
  const names = missing.map(([, [name]]) => name).join(', ')
  const flags = missing.map(([, [, flag]]) => flag).join(', ')
  throw new Rejection(`has no ${names}: give ${flags}, --metadata, or a sidecar (${sidecars.join(', ')})`)
}
