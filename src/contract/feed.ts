import { z } from 'zod'
import { feedClipSchema } from './clip.ts'
import { knownShareSchema, unknownCountSchema } from './known.ts'
import { levelSchema } from './levels.ts'
import { occurrenceSchema } from './word-clips.ts'
import { nextCursorSchema, wordIdSchema } from './word.ts'

/** The most positions of the shuffle that a page examines with a filter. */
export const examinedPositionsMax = 10_000

/** The word worth teaching in a clip (spec 2). */
const focusWordSchema = z
  .strictObject({
    word: z.string().meta({ example: 'sourdough' }),
    wordId: wordIdSchema,
    level: levelSchema,
    meaning: z.string().meta({ example: 'bread made with a fermented dough' }),
    tStart: z.number().min(0).meta({
      description: 'When the word is first said, in seconds from the start of the clip.',
      example: 12.48,
    }),
    // With `context=true`, as the occurrences of a word in its clips.
    tEnd: occurrenceSchema.shape.tEnd.optional(),
    form: occurrenceSchema.shape.form.optional(),
    text: occurrenceSchema.shape.text.optional(),
    start: occurrenceSchema.shape.start.optional(),
    end: occurrenceSchema.shape.end.optional(),
  })
  .meta({ id: 'FocusWord' })
export type FocusWord = z.infer<typeof focusWordSchema>

const feedItemSchema = z
  .strictObject({
    clip: feedClipSchema,
    focusWord: focusWordSchema.nullable(),
    knownShare: knownShareSchema.optional(),
    unknownCount: unknownCountSchema.optional(),
  })
  .meta({ id: 'FeedItem' })
export type FeedItem = z.infer<typeof feedItemSchema>

/** The answer of GET /feed. */
export const feedPageSchema = z
  .strictObject({
    seed: z
      .string()
      .meta({ description: 'The seed of this shuffle: yours, or a generated one.', example: 'b7e1c9' }),
    items: z.array(feedItemSchema),
    nextCursor: nextCursorSchema,
  })
  .meta({ id: 'FeedPage' })
export type FeedPage = z.infer<typeof feedPageSchema>
