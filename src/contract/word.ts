import { z } from 'zod'
import { languageSchema } from './clip.ts'
import { levelSchema } from './levels.ts'
import { countSchema, recordSchema } from './record.ts'

export const wordIdSchema = z.int().min(0).meta({ description: 'Permanent id of the word.', example: 526 })

/** A catalogue word. */
export const wordSchema = recordSchema('Word', {
  word: z.string(),
  wordId: wordIdSchema,
  level: levelSchema,
  meaning: z.string(),
  clipCount: countSchema,
})
export type Word = z.infer<typeof wordSchema>

/**
 * A word in search results. `matchedForm` is the matching spelling if it is not the headword;
 * `spelling` is the requested spelling, if the request had a list of them.
 */
const foundWordSchema = recordSchema('FoundWord', {
  ...wordSchema.shape,
  matchedForm: z.string().optional(),
  spelling: z.string().optional(),
})
export type FoundWord = z.infer<typeof foundWordSchema>

/** The response to GET /words/{word}. */
export const wordDetailSchema = recordSchema('WordDetail', {
  ...wordSchema.shape,
  language: languageSchema,
  forms: z.array(z.string()),
})
export type WordDetail = z.infer<typeof wordDetailSchema>

export const nextCursorSchema = z.string().nullable().meta({
  description: 'To get the next page, send this value as `cursor`. Null on the last page.',
  example: null,
})

/** The response to GET /words. */
export const wordPageSchema = recordSchema('WordPage', {
  words: z.array(foundWordSchema),
  totalCount: countSchema,
  nextCursor: nextCursorSchema,
})
export type WordPage = z.infer<typeof wordPageSchema>
