import { z } from 'zod'
import { feedClipSchema } from './clip.ts'
import { nextCursorSchema, totalCountSchema } from './word.ts'

/** How many matches an item shows; `matchCount` counts them all. */
export const matchesShown = 3
/** How many tokens a query may have. */
export const sentenceTokensMax = 12

/** A place where the query is said. */
const sentenceMatchSchema = z
  .strictObject({
    tStart: z.number().min(0).meta({ example: 12.48 }),
    tEnd: z.number().min(0).meta({ example: 13.1 }),
    text: z.string().meta({
      description:
        'The line that contains the match, or all its lines if the match continues on the next line.',
      example: 'Who is looking after the cat?',
    }),
    start: z.int().min(0).meta({ description: 'Start of the match in `text`, in code points.', example: 7 }),
    end: z.int().min(0).meta({ description: 'End of the match in `text`, in code points.', example: 20 }),
    kind: z.enum(['exact', 'form']).meta({
      description:
        '`exact` if every word is spelled as in `q`, `form` if at least one word is in a different form.',
      example: 'form',
    }),
  })
  .meta({ id: 'SentenceMatch' })
export type SentenceMatch = z.infer<typeof sentenceMatchSchema>

/** A clip in which the query is said. */
const sentenceClipSchema = z
  .strictObject({
    clip: feedClipSchema,
    matchCount: z.int().min(1).meta({ description: 'Total number of matches in the clip.', example: 2 }),
    matches: z
      .array(sentenceMatchSchema)
      .max(matchesShown)
      .meta({ description: 'The first 3 matches, in chronological order.' }),
  })
  .meta({ id: 'SentenceClip' })
export type SentenceClip = z.infer<typeof sentenceClipSchema>

/** The answer of GET /sentences. */
export const sentencePageSchema = z
  .strictObject({
    items: z.array(sentenceClipSchema),
    totalCount: totalCountSchema('clips'),
    nextCursor: nextCursorSchema,
  })
  .meta({ id: 'SentencePage' })
export type SentencePage = z.infer<typeof sentencePageSchema>
