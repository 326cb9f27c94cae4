import { z } from 'zod'
import { feedClipSchema } from './clip.ts'
import { unknownCountSchema } from './known.ts'
import { recordSchema, secondsSchema, shareSchema } from './record.ts'
import { occurrenceSchema } from './word-clips.ts'
import { nextCursorSchema, wordSchema } from './word.ts'

/** The maximum number of positions that the service examines for a page with a filter. */
export const examinedPositionsMax = 10_000

/** The word that is most worth learning in a clip. */
const focusWordSchema = recordSchema('FocusWord', {
  ...wordSchema.omit({ clipCount: true }).shape,
  tStart: secondsSchema,
  // Present with `context=true`, as in the occurrences of a word.
  ...occurrenceSchema.omit({ tStart: true }).partial().shape,
})
export type FocusWord = z.infer<typeof focusWordSchema>

const feedItemSchema = recordSchema('FeedItem', {
  clip: feedClipSchema,
  focusWord: focusWordSchema.nullable(),
  knownShare: shareSchema.optional(),
  unknownCount: unknownCountSchema.optional(),
})
export type FeedItem = z.infer<typeof feedItemSchema>

/** The response to GET /feed. */
export const feedPageSchema = recordSchema('FeedPage', {
  seed: z.string(),
  items: z.array(feedItemSchema),
  nextCursor: nextCursorSchema,
})
export type FeedPage = z.infer<typeof feedPageSchema>
