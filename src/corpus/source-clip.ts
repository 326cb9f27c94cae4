import { z } from 'zod'
import { languageSchema, maxClipDurationS, videoIdSchema } from '#contract/clip.ts'
import { levelSchema } from '#contract/levels.ts'
import { soundString } from './text-bounds.ts'
import { uuidPattern } from '#kit/uuid-pattern.ts'

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

/**
 * A clip of the source corpus (contract 2): its fields, their types and ranges. `checkClip` checks
 * the whole: its size, and its times. Unknown fields are dropped.
 */
export const sourceClipSchema = z.object({
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

export type SourceClip = z.infer<typeof sourceClipSchema>
export type SourceCue = z.infer<typeof sourceCueSchema>
export type SourceWord = z.infer<typeof sourceWordSchema>
