import { z } from 'zod'
import { clipIdSchema, languageSchema, videoIdSchema } from './clip.ts'
import { wordIdSchema } from './word.ts'

const timeSchema = z
  .number()
  .min(0)
  .meta({ description: 'Seconds from the start of the clip.', example: 3.2 })

/** One occurrence of a form: a word as it was said. */
const transcriptWordSchema = z
  .strictObject({
    text: z
      .string()
      .meta({ description: 'The word as spoken, without the punctuation around it.', example: 'looking' }),
    tStart: timeSchema,
    tEnd: timeSchema,
    wordIds: z.array(wordIdSchema).min(1).optional().meta({
      description:
        'Ids of the catalogue words that the spoken word belonged to when the clip was published. Absent if there are none.',
    }),
  })
  .meta({ id: 'TranscriptWord' })
export type TranscriptWord = z.infer<typeof transcriptWordSchema>

/** A line as shown on screen. */
const cueSchema = z
  .strictObject({
    tStart: timeSchema,
    tEnd: timeSchema,
    text: z.string(),
    words: z.array(transcriptWordSchema),
  })
  .meta({ id: 'Cue' })

/** The answer of GET /clips/{clipId}/transcript. Immutable once published. */
export const transcriptSchema = z
  .strictObject({
    clipId: clipIdSchema,
    videoId: videoIdSchema,
    language: languageSchema,
    durationS: z.int(),
    wordTiming: z.enum(['measured', 'interpolated']).meta({
      description:
        '`measured` if the source had a time for each word, `interpolated` if the times were estimated within each cue.',
      example: 'measured',
    }),
    cues: z.array(cueSchema),
  })
  .meta({ id: 'Transcript' })
export type Transcript = z.infer<typeof transcriptSchema>
