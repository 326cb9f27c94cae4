import { z } from 'zod'
import { feedClipSchema } from './clip.ts'
import { unknownCountSchema } from './known.ts'
import { countSchema, recordSchema, secondsSchema, shareSchema } from './record.ts'
import { matchesShown } from './matches-shown.ts'
import { optionalContextFields } from './sentence-context.ts'
import { nextCursorSchema } from './word.ts'

/** The maximum number of tokens in a query. */
export const sentenceTokensMax = 12

/** An occurrence of the query in a clip. */
const sentenceMatchSchema = recordSchema('SentenceMatch', {
  tStart: secondsSchema,
  tEnd: secondsSchema,
  text: z.string(),
  start: countSchema,
  end: countSchema,
  kind: z.enum(['exact', 'form']),
  ...optionalContextFields,
})
export type SentenceMatch = z.infer<typeof sentenceMatchSchema>

/** A clip that contains the query. */
const sentenceClipSchema = recordSchema('SentenceClip', {
  clip: feedClipSchema,
  matchCount: z.int().min(1),
  matches: z.array(sentenceMatchSchema).max(matchesShown),
  knownShare: shareSchema.optional(),
  unknownCount: unknownCountSchema.optional(),
})
export type SentenceClip = z.infer<typeof sentenceClipSchema>

/** The response to GET /sentences. */
export const sentencePageSchema = recordSchema('SentencePage', {
  items: z.array(sentenceClipSchema),
  totalCount: countSchema.nullable(),
  nextCursor: nextCursorSchema,
})
export type SentencePage = z.infer<typeof sentencePageSchema>
