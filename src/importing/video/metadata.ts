import { z } from 'zod'
import { fieldPath } from '#corpus/problem.ts'
import { isObject } from '../formats/detect-format.ts'
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

type LooseMetadata = { [Key in keyof Metadata]: Metadata[Key] | null }

const text = z.union([z.string(), z.number().transform(String)], { error: 'must be a string' }).nullish()
const duration = z.number({ error: 'must be a number of seconds' }).transform(Math.ceil).nullish()

/**
 * The part of yt-dlp's `*.info.json` that matters here
 * (https://github.com/yt-dlp/yt-dlp#output-template lists the fields).
 */
const infoSchema = z
  .object({
    id: text,
    title: text,
    channel: text,
    uploader: text,
    channel_id: text,
    uploader_id: text,
    duration,
    language: text,
  })
  .transform(({ id, title, language, ...info }) => ({
    videoId: id,
    title,
    channelId: info.channel_id ?? info.uploader_id,
    channelName: info.channel ?? info.uploader,
    durationS: info.duration,
    language,
  }))

const channelObject = z.object({ id: text, name: text })
/** `{videoId, title, channel: {id, name} | name, channelId?, level?, durationS?, language?}`. */
const plainSchema = z
  .object({
    videoId: text,
    title: text,
    channel: z.union([z.string(), channelObject], { error: 'must be {"id", "name"} or a string' }).nullish(),
    channelId: text,
    level: text,
    durationS: duration,
    language: text,
  })
  .transform(({ channel, ...plain }) => {
    const { id, name } = typeof channel === 'string' ? { id: null, name: channel } : (channel ?? {})
    return { ...plain, channelId: id ?? plain.channelId, channelName: name }
  })

/** The part of a YouTube player response that describes the video; a refusal has none. */
const playerSchema = z
  .object({
    videoDetails: z
      .object({ videoId: text, title: text, lengthSeconds: text, channelId: text, author: text })
      .nullish(),
  })
  .transform(({ videoDetails }) => {
    const { author, lengthSeconds, ...details } = videoDetails ?? {}
    const lengthS = Math.ceil(Number(lengthSeconds))
    return { ...details, channelName: author, durationS: lengthS > 0 ? lengthS : null }
  })

/**
 * What a JSON value says about a video, in any of the known formats: a YouTube player response,
 * yt-dlp's info, or the plain format.
 *
 * @throws {Rejection} a field has the wrong type
 */
export function parseMetadata(json: unknown): Metadata {
  if (isObject(json) && ('videoDetails' in json || 'playabilityStatus' in json))
    return check(playerSchema, json)
  if (isObject(json) && !('videoId' in json) && ('id' in json || 'uploader' in json)) return parseInfo(json)
  return check(plainSchema, json)
}

/** Parses yt-dlp's description of a video. @throws {Rejection} a field has the wrong type */
export function parseInfo(json: unknown): Metadata {
  return check(infoSchema, json)
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

function check(schema: z.ZodType<LooseMetadata>, json: unknown): Metadata {
  const parsed = schema.safeParse(json)
  if (parsed.success) return dropMissing(parsed.data)
  const { path, message } = parsed.error.issues[0]!
  const field = fieldPath(path)
  throw new Rejection(field === undefined ? 'wanted a JSON object' : `${field}: ${message}`)
}

/** Drops null, empty and blank values. */
export function dropMissing(fields: LooseMetadata): Metadata {
  const given = Object.entries(fields).filter(([, value]) => value != null && String(value).trim() !== '')
  return Object.fromEntries(given)
}
