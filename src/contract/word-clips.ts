import { z } from 'zod'
import { feedClipSchema } from './clip.ts'
import { unknownCountSchema } from './known.ts'
import { nextCursorSchema, totalCountSchema, wordSchema } from './word.ts'

/** How many occurrences an item shows; `occurrenceCount` counts them all. */
export const occurrencesShown = 3

export const occurrenceSchema = z
  .strictObject({
    tStart: z.number().min(0).meta({ example: 12.48 }),
    tEnd: z.number().min(0).meta({ example: 12.9 }),
    form: z.string().meta({ description: 'The word as spoken.', example: 'looking after' }),
    text: z.string().meta({
      description: 'The whole line that contains the form.',
      example: 'Who is looking after the cat?',
    }),
    start: z.int().min(0).meta({
      description: 'Start of the form in the line, in characters (code points).',
      example: 7,
    }),
    end: z
      .int()
      .min(0)
      .meta({ description: 'End of the form in the line, in characters (code points).', example: 20 }),
  })
  .meta({ id: 'Occurrence' })
export type Occurrence = z.infer<typeof occurrenceSchema>

/** A clip in which a word is said. */
const wordClipSchema = z
  .strictObject({
    clip: feedClipSchema,
    knownShare: z.number().min(0).max(1).meta({
      description:
        "The share of the clip's catalogue words that are at or below the level of the requested word. A learner at that level is likely to know these words. With `known`, the share of the words in the clip that the learner knows.",
      example: 0.87,
    }),
    occurrenceCount: z.int().min(1).meta({ example: 2 }),
    occurrences: z
      .array(occurrenceSchema)
      .max(occurrencesShown)
      .meta({ description: 'The first 3 occurrences of the word in the clip, in chronological order.' }),
    unknownCount: unknownCountSchema.optional(),
  })
  .meta({ id: 'WordClip' })

/** The answer of GET /words/{word}/clips. */
export const wordClipPageSchema = z
  .strictObject({
    word: wordSchema,
    items: z.array(wordClipSchema),
    totalCount: totalCountSchema('clips').nullable().meta({
      description: 'Total number of matching clips on all pages. Null with `minKnownShare` or `maxUnknown`.',
      example: 1,
    }),
    nextCursor: nextCursorSchema,
  })
  .meta({ id: 'WordClipPage' })
export type WordClipPage = z.infer<typeof wordClipPageSchema>
