import { z } from 'zod'
import { fieldPath } from '#corpus/problem.ts'
import { isObject } from '../formats/detect-json.ts'
import { Rejection } from '../rejection.ts'

/**
 * Metadata of a video. Every field may be missing; the values are checked when the clip is built.
 */
export interface Metadata {
  videoId?: string
  title?: string
  channelId?: string
  channelName?: string
  level?: string
  /** Whole seconds, rounded up. */
  durationS?: number
  /** A language code or tag as the source gives it: `en`, `en-US`. */
  language?: string
}

const text = z.union([z.string(), z.number().transform(String)], { error: 'must be a string' }).nullish()
const duration = z.number({ error: 'must be a number of seconds' }).nullish()

/**
 * The part of yt-dlp's `*.info.json` that matters here
 * (https://github.com/yt-dlp/yt-dlp#output-template lists the fields).
 */
const infoSchema = z.object({
  id: text,
  title: text,
  channel: text,
  uploader: text,
  channel_id: text,
  uploader_id: text,
  duration,
  language: text,
})

const channelObject = z.object({ id: text, name: text })
const plainSchema = z.object({
  videoId: text,
  title: text,
  channel: z.union([z.string(), channelObject], { error: 'must be {"id", "name"} or a string' }).nullish(),
  channelId: text,
  level: text,
  durationS: duration,
  language: text,
})

/** The part of a YouTube player response that describes the video; a refusal has none. */
const playerSchema = z.object({
  videoDetails: z
    .object({ videoId: text, title: text, lengthSeconds: text, channelId: text, author: text })
    .nullish(),
})

/**
 * What a JSON value says about a video, in any of the known formats: a YouTube player response,
 * yt-dlp's info, or the plain format.
 *
 * @throws {Rejection} a field has the wrong type
 */
export function parseMetadata(json: unknown): Metadata {
  if (isObject(json) && ('videoDetails' in json || 'playabilityStatus' in json)) return parsePlayer(json)
  if (isObject(json) && !('videoId' in json) && ('id' in json || 'uploader' in json)) return parseInfo(json)
  return parsePlain(json)
}

/** Parses the response of YouTube's player. @throws {Rejection} a field has the wrong type */
function parsePlayer(json: unknown): Metadata {
  const { videoDetails } = check(playerSchema, json)
  const lengthS = Number(videoDetails?.lengthSeconds)
  return dropMissing({
    videoId: videoDetails?.videoId,
    title: videoDetails?.title,
    channelId: videoDetails?.channelId,
    channelName: videoDetails?.author,
    durationS: lengthS > 0 ? wholeSeconds(lengthS) : undefined,
  })
}

/** Parses yt-dlp's description of a video. @throws {Rejection} a field has the wrong type */
export function parseInfo(json: unknown): Metadata {
  const info = check(infoSchema, json)
  return dropMissing({
    videoId: info.id,
    title: info.title,
    channelId: info.channel_id ?? info.uploader_id,
    channelName: info.channel ?? info.uploader,
    durationS: wholeSeconds(info.duration),
    language: info.language,
  })
}

/**
 * Parses `{videoId, title, channel: {id, name} | name, channelId?, level?, durationS?, language?}`.
 *
 * @throws {Rejection} a field has the wrong type
 */
export function parsePlain(json: unknown): Metadata {
  const plain = check(plainSchema, json)
  const channel = typeof plain.channel === 'string' ? { name: plain.channel } : plain.channel
  return dropMissing({
    videoId: plain.videoId,
    title: plain.title,
    channelId: (channel && 'id' in channel ? channel.id : undefined) ?? plain.channelId,
    channelName: channel?.name,
    level: plain.level,
    durationS: wholeSeconds(plain.durationS),
    language: plain.language,
  })
}

/** For each field, the first of the sources that has it. */
export function mergeMetadata(bestFirst: readonly Metadata[]): Metadata {
  const given = bestFirst.map((metadata) =>
    Object.entries(metadata).filter(([, value]) => value !== undefined),
  )
  return Object.fromEntries(given.toReversed().flat())
}

/** A channel with only a name or only an id gets that for both. */
export function completeChannel(metadata: Metadata): Metadata {
  const { channelId, channelName } = metadata
  const known = channelId ?? channelName
  return known === undefined ? metadata : { ...metadata, channelId: known, channelName: channelName ?? known }
}

function check<T>(schema: z.ZodType<T>, json: unknown): T {
  const parsed = schema.safeParse(json)
  if (parsed.success) return parsed.data
  const { path, message } = parsed.error.issues[0]!
  const field = fieldPath(path)
  throw new Rejection(field === undefined ? 'wanted a JSON object' : `${field}: ${message}`)
}

function wholeSeconds(seconds: number | null | undefined): number | undefined {
  return seconds == null ? undefined : Math.ceil(seconds)
}

/** Drops null, empty and blank values. */
export function dropMissing(fields: { [Key in keyof Metadata]: Metadata[Key] | null }): Metadata {
  const given = Object.entries(fields).filter(([, value]) => value != null && String(value).trim() !== '')
  return Object.fromEntries(given)
}
