import { z } from 'zod'
import { glosses, type Gloss, type Meanings } from '#contract/glosses.ts'
import { levelSchema } from '#contract/levels.ts'
import { soundString, spellingFault } from './text-bounds.ts'

/** The highest number of a word. */
const maxWordId = 2 ** 31 - 1
/** The most forms that a catalogue may list for one word. */
export const maxForms = 5_000

const spellingSchema = soundString(spellingFault)
  .trim()
  .refine((text) => text !== '', 'must not be empty')

const meaningSchema = soundString().trim().optional()
const meaningsSchema = z
  .strictObject(
    Object.fromEntries(glosses.map((gloss) => [gloss, meaningSchema])) as Record<Gloss, typeof meaningSchema>,
    {
      error: (issue) =>
        issue.code === 'unrecognized_keys'
          ? `has the unknown gloss ${issue.keys[0]!.slice(0, 20)}. The glosses are ${glosses.join(', ')}`
          : undefined,
    },
  )
  .transform((meanings): Meanings => Object.fromEntries(Object.entries(meanings).filter(([, text]) => text)))

/** A line of `catalogue/<language>.jsonl` (contract 2). An empty meaning counts as none. */
export const catalogueLineSchema = z.object({
  wordId: z.int({ error: 'must be a whole number' }).min(0).max(maxWordId, `must be at most ${maxWordId}`),
  /** The headword; may be a phrase. */
  word: spellingSchema,
  level: levelSchema,
  meanings: meaningsSchema.default({}),
  /** Inflected forms and spelling variants. Each is listed once, and the headword never is. */
  forms: z.array(spellingSchema).max(maxForms, `must list at most ${maxForms} forms`).default([]),
})

export type CatalogueLine = z.infer<typeof catalogueLineSchema>
/** A catalogue entry: a word worth learning, with its spellings in speech. */
export type CatalogueWord = CatalogueLine & { language: string }
