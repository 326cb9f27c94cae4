import { z } from 'zod'
import { feedClipSchema } from './clip.ts'
import { nextCursorSchema } from './word.ts'

/** How many matches an item shows; `matchCount` counts them all. */
export const matchesShown = 3
/** How many tokens a query may have. */
export const sentenceTokensMax = 12

/** A place where the query is said. */
export const sentenceMatchSchema = z
  .strictObject({
    tStart: z.number().min(0).meta({ example: 12.48 }),
    tEnd: z.number().min(0).meta({ example: 13.1 }),
    text: z.string().meta({
      description: 'The line that it is said in; where it crosses lines, all of them.',
      example: 'Who is looking after the cat?',
    }),
    start: z
      .int()
      .min(0)
      .meta({ description: 'Where in `text` it begins, in code points, for highlighting.', example: 7 }),
    end: z.int().min(0).meta({ description: 'Where in `text` it ends, in code points.', example: 20 }),
    kind: z.enum(['exact', 'form']).meta({
      description:
        '`exact` where each token is that of `q`; `form` where one is another form of the same word.',
      example: 'form',
    }),
  })
  .meta({ id: 'SentenceMatch' })
export type SentenceMatch = z.infer<typeof sentenceMatchSchema>

/** A clip in which the query is said. */
export const sentenceClipSchema = z
  .strictObject({
    clip: feedClipSchema,
    matchCount: z.int().min(1).meta({ description: 'All places in the clip.', example: 2 }),
    matches: z
      .array(sentenceMatchSchema)
      .max(matchesShown)
      .meta({ description: 'The first 3, in time order.' }),
  })
  .meta({ id: 'SentenceClip' })
export type SentenceClip = z.infer<typeof sentenceClipSchema>

/** The answer of GET /sentences. */
export const sentencePageSchema = z
  .strictObject({
    items: z.array(sentenceClipSchema),
    totalCount: z.int().min(0).meta({ description: 'All clips that match, on every page.', example: 1 }),
    nextCursor: nextCursorSchema,
  })
  .meta({ id: 'SentencePage' })
export type SentencePage = z.infer<typeof sentencePageSchema>
