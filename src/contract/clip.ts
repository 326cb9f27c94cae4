import { z } from 'zod'
import { dateSchema } from './dates.ts'
import { levelSchema } from './levels.ts'
import { countSchema, recordSchema } from './record.ts'

/** The maximum length of a clip, in seconds. */
export const maxClipDurationS = 180

/** Matches a UUID in lower case. */
export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export const clipIdSchema = z.string().regex(uuidPattern).meta({
  format: 'uuid',
  description: 'Permanent id of the clip.',
  example: '0f3c5a52-7a0e-5b1c-9d64-0f5a2f7f9b11',
})

export const videoIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 characters from A-Z, a-z, 0-9, _ and -')
  .meta({
    description: 'Id of the video on the video platform.',
    example: 'dQw4w9WgXcQ',
  })

export const languageSchema = z
  .string()
  .regex(/^[a-z]{2}$/, 'must be two letters a-z')
  .meta({ description: 'Two-letter language code.', example: 'en' })

const channelSchema = recordSchema('Channel', { id: z.string(), name: z.string() })

/** A clip in the feed and in lists. */
export const feedClipSchema = recordSchema('FeedClip', {
  clipId: clipIdSchema,
  videoId: videoIdSchema,
  title: z.string(),
  language: languageSchema,
  level: levelSchema,
  durationS: z.int().min(1).max(maxClipDurationS),
  channel: channelSchema,
  embedUrl: z.string(),
  watchUrl: z.string(),
})
export type FeedClip = z.infer<typeof feedClipSchema>

/** The complete record of a clip. It does not change once it is published. */
export const clipSchema = recordSchema('Clip', {
  ...feedClipSchema.shape,
  wordCount: countSchema,
  indexedAt: dateSchema,
})
export type Clip = z.infer<typeof clipSchema>

/** The response to GET /clips. */
export const clipBatchSchema = recordSchema('ClipBatch', {
  items: z.array(clipSchema),
  missing: z.array(z.string()),
})
