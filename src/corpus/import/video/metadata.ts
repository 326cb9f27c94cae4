import { z } from 'zod'
import { fieldPath } from '../../problem.ts'
import { Rejection } from '../rejection.ts'

/** Metadata of a video. Any field may be missing. Values are checked when the clip is built. */
export interface Metadata {
  videoId?: string
  title?: string
  channelId?: string
  channelName?: string
  level?: string
  /** Whole seconds, rounded up. */
  durationS?: number
  /** A language code or tag from the source: `en`, `en-US`. */
  language?: string
}

const text = z.union([z.string(), z.number().transform(String)], { error: 'must be a string' }).nullish()
const durationRule = 'must be a positive number of seconds'
const duration = z.number(durationRule).positive(durationRule).transform(Math.ceil).nullish()

const descriptionSchema = z.object({
  // Fields of plain descriptions.
  videoId: text,
  title: text,
  channel: z
    .union([z.string(), z.object({ id: text, name: text })], {
      error: 'must be a string or an object with "id" and "name"',
    })
    .nullish(),
  channelId: text,
  level: text,
  durationS: duration,
  language: text,
  // Fields of yt-dlp (https://github.com/yt-dlp/yt-dlp#output-template lists them).
  id: text,
  uploader: text,
  channel_id: text,
  uploader_id: text,
  duration: duration.catch(null),
  // Fields of YouTube's player.
  author: text,
  lengthSeconds: z.coerce.number().positive().transform(Math.ceil).nullish().catch(null),
})

/**
 * Reads the metadata of a video in any of the known JSON formats: a YouTube player response,
 * yt-dlp's info, or `{videoId, title, channel: {id, name} | name, channelId?, level?, durationS?,
 * language?}`. No field has different meanings in different formats.
 *
 * @throws {Rejection} a field has the wrong type
 */
export function parseMetadata(json: unknown): Metadata {
  // A player that refuses to play describes nothing.
  const result = descriptionSchema.safeParse(isPlayerResponse(json) ? (json.videoDetails ?? {}) : json)
  if (!result.success) {
    const { path, message } = result.error.issues[0]!
    const field = fieldPath(path)
    throw new Rejection(
      field === undefined ? 'is not a JSON object' : `has an invalid field: ${field} ${message}`,
    )
  }
  const { data: about } = result
  const channel = typeof about.channel === 'string' ? { name: about.channel } : about.channel
  return dropMissing({
    videoId: about.videoId ?? about.id,
    title: about.title,
    channelId: channel?.id ?? about.channelId ?? about.channel_id ?? about.uploader_id,
    channelName: channel?.name ?? about.uploader ?? about.author,
    level: about.level,
    durationS: about.durationS ?? about.duration ?? about.lengthSeconds,
    language: about.language,
  })
}

/** Whether JSON describes a video: yt-dlp's info, a YouTube player response, or a sidecar. */
export function describesVideo(json: unknown): boolean {
  if (!isObject(json)) return false
  if (isPlayerResponse(json) || ('videoId' in json && !('cues' in json))) return true
  return 'title' in json && ['channel', 'uploader', 'extractor', 'id'].some((field) => field in json)
}

function isPlayerResponse(json: unknown): json is JsonObject {
  return isObject(json) && ('videoDetails' in json || 'playabilityStatus' in json)
}

export type JsonObject = Record<string, unknown>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Returns each field from the first source that has it. If a channel has only a name or only an id,
 * that value is used as both.
 */
export function mergeMetadata(bestFirst: readonly Metadata[]): Metadata {
  const metadata: Metadata = Object.assign({}, ...bestFirst.toReversed().map(dropMissing))
  const { channelId, channelName } = metadata
  const known = channelId ?? channelName
  return known === undefined ? metadata : { ...metadata, channelId: known, channelName: channelName ?? known }
}

/** Drops null, empty and blank values. */
export function dropMissing<T extends object>(fields: T): { [Key in keyof T]?: NonNullable<T[Key]> } {
  const entries = Object.entries(fields).filter(([, value]) => value != null && String(value).trim() !== '')
  return Object.fromEntries(entries) as T
}
