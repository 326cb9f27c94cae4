import { z } from 'zod'
import { feedClipSchema } from './clip.ts'
import { countSchema, recordSchema, secondsSchema } from './record.ts'
import { nextCursorSchema } from './word.ts'

/** How many matches an item shows; `matchCount` counts them all. */
export const matchesShown = 3
/** How many tokens a query may have. */
export const sentenceTokensMax = 12

/** A place where the query is said. */
const sentenceMatchSchema = recordSchema('SentenceMatch', {
  tStart: secondsSchema,
  tEnd: secondsSchema,
  text: z.string(),
  start: countSchema,
  end: countSchema,
  kind: z.enum(['exact', 'form']),
})
export type SentenceMatch = z.infer<typeof sentenceMatchSchema>

/** A clip in which the query is said. */
const sentenceClipSchema = recordSchema('SentenceClip', {
  clip: feedClipSchema,
  matchCount: z.int().min(1),
  matches: z.array(sentenceMatchSchema).max(matchesShown),
})
export type SentenceClip = z.infer<typeof sentenceClipSchema>

/** The answer of GET /sentences. */
export const sentencePageSchema = recordSchema('SentencePage', {
  items: z.array(sentenceClipSchema),
  totalCount: countSchema,
  nextCursor: nextCursorSchema,
})
export type SentencePage = z.infer<typeof sentencePageSchema>
