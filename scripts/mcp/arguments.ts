/** The arguments of the tools. Language models read their descriptions, so these are short. */
import { z } from 'zod'
import { glosses } from '#contract/glosses.ts'
import { levels } from '#contract/levels.ts'

const language = z.string().optional().describe('two-letter code, default en')
const gloss = z.enum(glosses).optional().describe('language of meanings')
const known = z
  .array(z.string())
  .optional()
  .describe('what the learner knows: a level (A2 includes A1), words; "-word" for one not known')
const maxUnknown = z.int().min(0).max(100).optional().describe('most unknown words in a clip; needs known')
const exclude = z.array(z.string()).max(50).optional().describe('links or ids of clips to leave out')
const level = z.array(z.enum(levels)).optional().describe('levels of the clips')

export const toolArguments = {
  find_clips: {
    query: z.string().trim().min(1),
    language,
    level,
    known,
    maxUnknown,
    exclude,
    gloss,
    limit: z.int().min(1).max(50).optional().describe('default 5'),
  },
  read_clip: { clip: z.string().describe('link or id'), known, gloss },
  next_clip: { language, level, known, maxUnknown, exclude, gloss },
  look_up_words: {
    words: z.array(z.string()).min(1).max(100),
    by: z
      .enum(['spelling', 'meaning'])
      .optional()
      .describe('meaning: words in the gloss language, 1 look-up each'),
    language,
    gloss,
  },
  make_flashcards: {
    words: z.array(z.string()).min(1).max(50),
    language,
    level,
    known,
    gloss,
    format: z.enum(['text', 'csv', 'anki']).optional().describe('anki: a file for its import'),
  },
  show_usage: {},
}

export type Arguments<Tool extends keyof typeof toolArguments> = z.infer<
  z.ZodObject<(typeof toolArguments)[Tool]>
>
