import { z } from 'zod'
import { clipIdSchema, languageSchema, videoIdSchema } from './clip.ts'
import { countSchema, recordSchema, secondsSchema } from './record.ts'
import { wordIdSchema } from './word.ts'

/** An occurrence of a form in a transcript. */
const transcriptWordSchema = recordSchema('TranscriptWord', {
  text: z.string(),
  tStart: secondsSchema,
  tEnd: secondsSchema,
  start: countSchema.optional(),
  end: countSchema.optional(),
  reading: z.string().optional(),
  wordIds: z.array(wordIdSchema).min(1).optional(),
})
export type TranscriptWord = z.infer<typeof transcriptWordSchema>

/** A line of a transcript, as shown on screen. */
const cueSchema = recordSchema('Cue', {
  tStart: secondsSchema,
  tEnd: secondsSchema,
  text: z.string(),
  translations: z.record(languageSchema, z.string()).optional(),
  words: z.array(transcriptWordSchema),
})
export type Cue = z.infer<typeof cueSchema>

/** The response to GET /clips/{clipId}/transcript. Immutable once published. */
export const transcriptSchema = recordSchema('Transcript', {
  clipId: clipIdSchema,
  videoId: videoIdSchema,
  language: languageSchema,
  durationS: z.int(),
  wordTiming: z.enum(['measured', 'interpolated']),
  cues: z.array(cueSchema),
})
export type Transcript = z.infer<typeof transcriptSchema>
