import { z } from 'zod'
import { uuidPattern } from '#kit/uuid-pattern.ts'
import { dateSchema } from './dates.ts'
import { levelSchema } from './levels.ts'

/** The longest clip that the corpus holds, in seconds. */
export const maxClipDurationS = 180

export const clipIdSchema = z.string().regex(uuidPattern).meta({
  format: 'uuid',
  description: 'Permanent id of the clip.',
  example: '0f3c5a52-7a0e-5b1c-9d64-0f5a2f7f9b11',
})

export const videoIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 of A-Z, a-z, 0-9, _ and -')
  .meta({
    description: 'Id of the video on the video platform.',
    example: 'dQw4w9WgXcQ',
  })

export const languageSchema = z
  .string()
  .regex(/^[a-z]{2}$/, 'must be two letters a-z')
  .meta({ description: 'Two-letter language code.', example: 'en' })

export const channelSchema = z
  .strictObject({
    id: z.string().meta({ description: 'Id of the channel on the video platform.', example: 'UC1234' }),
    name: z
      .string()
      .meta({ description: 'Name of the channel, for attribution.', example: 'Kitchen Table English' }),
  })
  .meta({ id: 'Channel' })

const feedClipShape = {
  clipId: clipIdSchema,
  videoId: videoIdSchema,
  title: z.string().meta({ example: 'At the bakery' }),
  language: languageSchema,
  level: levelSchema,
  durationS: z
    .int()
    .min(1)
    .max(maxClipDurationS)
    .meta({ description: 'Length in seconds, at most 180.', example: 42 }),
  channel: channelSchema,
  embedUrl: z.string().meta({
    description: 'Address of the embedded player.',
    example: 'https://www.youtube.com/embed/dQw4w9WgXcQ',
  }),
  watchUrl: z.string().meta({
    description: 'Address of the video, for the required attribution link.',
    example: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
  }),
}

/** A clip as the feed and the word→clips lists show it (spec 2). */
export const feedClipSchema = z.strictObject(feedClipShape).meta({ id: 'FeedClip' })
export type FeedClip = z.infer<typeof feedClipSchema>

/** The whole record of a clip (spec 2). Immutable once published. */
export const clipSchema = z
  .strictObject({
    ...feedClipShape,
    wordCount: z.int().min(0).meta({ description: 'Number of catalogue words in the clip.', example: 31 }),
    indexedAt: dateSchema,
  })
  .meta({ id: 'Clip' })
export type Clip = z.infer<typeof clipSchema>

/** The answer of GET /clips. */
export const clipBatchSchema = z
  .strictObject({
    items: z
      .array(clipSchema)
      .meta({ description: 'The clips that were found, each once, in the order in which you listed them.' }),
    missing: z.array(z.string()).meta({
      description: 'The ids that were not found, each once, as you sent them.',
      example: ['nosuchvideo'],
    }),
  })
  .meta({ id: 'ClipBatch' })
