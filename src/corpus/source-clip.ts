import { z } from 'zod'
import { languageSchema, maxClipDurationS, videoIdSchema } from '#contract/clip.ts'
import { levelSchema } from '#contract/levels.ts'
import { uuidPattern } from '#kit/uuid-pattern.ts'
import { uuidOfUrl } from '#kit/uuid.ts'
import { faultOfClip } from './check-clip.ts'
import { parseRecord, type Parsed } from './parse-record.ts'
import { soundString } from './text-bounds.ts'

const timeSchema = z.number({ error: 'must be a number of seconds' })
const textSchema = soundString()
const namedSchema = textSchema.trim().refine((text) => text !== '', 'must not be empty')

const sourceWordSchema = z.object({
  text: textSchema,
  tStart: timeSchema,
  tEnd: timeSchema,
  lemma: textSchema.optional(),
})

const sourceCueSchema = z.object({
  tStart: timeSchema,
  tEnd: timeSchema,
  text: textSchema,
  words: z.array(sourceWordSchema).optional(),
})

const fieldsSchema = z.object({
  videoId: videoIdSchema,
  title: namedSchema,
  language: languageSchema,
  level: levelSchema,
  durationS: z
    .int({ error: 'must be a whole number of seconds' })
    .min(1, 'must be at least 1 s')
    .max(maxClipDurationS, {
      error: (issue) => `is ${String(issue.input)} s long: clips last up to ${maxClipDurationS} s`,
    }),
  channel: z.object({ id: namedSchema, name: namedSchema }),
  cues: z.array(sourceCueSchema),
  clipId: z
    .string()
    .regex(new RegExp(uuidPattern, 'i'), 'must be a UUID')
    .transform((id) => id.toLowerCase())
    .optional(),
})

/**
 * A clip of the source corpus (contract 2): its fields, their types and ranges, then the whole, its
 * size and its times. Unknown fields are dropped.
 */
export const sourceClipSchema = fieldsSchema.check(({ value, issues }) => {
  const fault = faultOfClip(value)
  if (fault) issues.push({ code: 'custom', input: value, ...fault })
})

export type SourceClip = z.infer<typeof fieldsSchema>
export type SourceCue = z.infer<typeof sourceCueSchema>
export type SourceWord = z.infer<typeof sourceWordSchema>

/** Parses the text of one source clip and checks all of it. */
export function parseClip(text: string): Parsed<SourceClip> {
  return parseRecord(sourceClipSchema, text)
}

/**
 * The id of a clip: its own, else the UUIDv5 of its watch address in the URL namespace (RFC 9562
 * section 5.5; contract 2).
 */
export function clipIdOf(clip: Pick<SourceClip, 'clipId' | 'videoId'>): string {
  return clip.clipId ?? uuidOfUrl(`https://www.youtube.com/watch?v=${clip.videoId}`)
}

/**
 * The video that an invalid text most likely describes: its first `"videoId"`. It distinguishes an
 * invalid clip from one that is gone.
 */
export function guessVideo(text: string): { videoId?: string } {
  const videoId = /"videoId"\s*:\s*"([A-Za-z0-9_-]{1,64})"/.exec(text)?.[1]
  return videoId === undefined ? {} : { videoId }
}
