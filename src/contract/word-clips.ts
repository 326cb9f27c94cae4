import { z } from 'zod'
import { feedClipSchema } from './clip.ts'
import { unknownCountSchema } from './known.ts'
import { countSchema, recordSchema, secondsSchema, shareSchema } from './record.ts'
import { optionalContextFields } from './sentence-context.ts'
import { nextCursorSchema, wordSchema } from './word.ts'

/** The maximum number of occurrences in an item. */
export const occurrencesShown = 3

/** The maximum number of clips that the service examines for a page with a filter. */
export const examinedItemsMax = 2_000

export const occurrenceSchema = recordSchema('Occurrence', {
  tStart: secondsSchema,
  tEnd: secondsSchema,
  form: z.string(),
  text: z.string(),
  start: countSchema,
  end: countSchema,
  ...optionalContextFields,
})
export type Occurrence = z.infer<typeof occurrenceSchema>

/** A clip in which a word is said. */
export const wordClipSchema = recordSchema('WordClip', {
  clip: feedClipSchema,
  knownShare: shareSchema,
  occurrenceCount: z.int().min(1),
  occurrences: z.array(occurrenceSchema).max(occurrencesShown),
  unknownCount: unknownCountSchema.optional(),
})

/** The response to GET /words/{word}/clips. */
export const wordClipPageSchema = recordSchema('WordClipPage', {
  word: wordSchema,
  items: z.array(wordClipSchema),
  totalCount: countSchema.nullable(),
  nextCursor: nextCursorSchema,
})
export type WordClipPage = z.infer<typeof wordClipPageSchema>
