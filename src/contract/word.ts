import { z } from 'zod'
import { languageSchema } from './clip.ts'
import { levelSchema } from './levels.ts'

export const wordIdSchema = z.int().min(0).meta({ description: 'Permanent id of the word.', example: 526 })

/** A catalogue word as search shows it (spec 2). */
export const wordSchema = z
  .strictObject({
    word: z.string().meta({ description: 'The headword. It can be a phrase.', example: 'look after' }),
    wordId: wordIdSchema,
    level: levelSchema,
    meaning: z.string().meta({
      description:
        'The meaning in the requested gloss or, if there is none, in English. Empty if both are missing.',
      example: 'to take care of somebody',
    }),
    clipCount: z
      .int()
      .min(0)
      .meta({ description: 'Number of clips in which the word is said.', example: 12 }),
  })
  .meta({ id: 'Word' })
export type Word = z.infer<typeof wordSchema>

/** A word as a search shows it: `matchedForm` where another spelling than the headword matched. */
const foundWordSchema = z
  .strictObject({
    ...wordSchema.shape,
    matchedForm: z.string().optional().meta({
      description:
        'The spelling that matched, if it is not the headword: a form, a reading in kana or romaji, pinyin, or the other Chinese script.',
      example: 'looked after',
    }),
  })
  .meta({ id: 'FoundWord' })
export type FoundWord = z.infer<typeof foundWordSchema>

/** The answer of GET /words/{word}. */
export const wordDetailSchema = z
  .strictObject({
    ...wordSchema.shape,
    language: languageSchema,
    forms: z.array(z.string()).meta({
      description: 'The forms of the word in the catalogue and in the clips, sorted by code point.',
      example: ['looked after', 'looking after', 'looks after'],
    }),
  })
  .meta({ id: 'WordDetail' })
export type WordDetail = z.infer<typeof wordDetailSchema>

export const nextCursorSchema = z.string().nullable().meta({
  description: 'To get the next page, send this value as `cursor`. Null on the last page.',
  example: null,
})

/** How many items a list has on all its pages. */
export function totalCountSchema(what: string) {
  return z
    .int()
    .min(0)
    .meta({ description: `Total number of matching ${what} on all pages.`, example: 1 })
}

/** The answer of GET /words. */
export const wordPageSchema = z
  .strictObject({
    words: z.array(foundWordSchema),
    totalCount: totalCountSchema('words'),
    nextCursor: nextCursorSchema,
  })
  .meta({ id: 'WordPage' })
export type WordPage = z.infer<typeof wordPageSchema>
