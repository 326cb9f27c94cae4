import { z } from 'zod'
import { clipIdSchema, languageSchema, videoIdSchema } from './clip.ts'
import { recordSchema, secondsSchema } from './record.ts'
import { wordIdSchema } from './word.ts'

/** One occurrence of a form: a word as it was said. */
const transcriptWordSchema = recordSchema('TranscriptWord', {
  text: z.string(),
  tStart: secondsSchema,
  tEnd: secondsSchema,
  wordIds: z.array(wordIdSchema).min(1).optional(),
})
export type TranscriptWord = z.infer<typeof transcriptWordSchema>

/** A line as shown on screen. */
const cueSchema = recordSchema('Cue', {
  tStart: secondsSchema,
  tEnd: secondsSchema,
  text: z.string(),
  words: z.array(transcriptWordSchema),
})

/** The answer of GET /clips/{clipId}/transcript. Immutable once published. */
export const transcriptSchema = recordSchema('Transcript', {
  clipId: clipIdSchema,
  videoId: videoIdSchema,
  language: languageSchema,
  durationS: z.int(),
  wordTiming: z.enum(['measured', 'interpolated']),
  cues: z.array(cueSchema),
})
export type Transcript = z.infer<typeof transcriptSchema>
