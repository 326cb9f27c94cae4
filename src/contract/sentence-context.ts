import { z } from 'zod'
import { countSchema, recordSchema, secondsSchema } from './record.ts'

/** The sentence in which an occurrence lies. */
const sentenceSchema = recordSchema('Sentence', {
  text: z.string(),
  start: countSchema,
  end: countSchema,
  tStart: secondsSchema,
  tEnd: secondsSchema,
  translation: z.string().nullable(),
})

/** The last fields of a focus word, an occurrence or a match with `context=true`. */
const contextFields = {
  sentence: sentenceSchema.meta({
    description: 'The sentence that contains the occurrence. Present only with `context=true`.',
  }),
  before: z.string().nullable().meta({
    description: 'The sentence before. Null if there is none. Present only with `context=true`.',
    example: 'We are going on holiday.',
  }),
  after: z.string().nullable().meta({
    description: 'The sentence after. Null if there is none. Present only with `context=true`.',
    example: null,
  }),
}
export type ContextFields = z.infer<z.ZodObject<typeof contextFields>>

/** The same fields where they are optional. */
export const optionalContextFields = z.object(contextFields).partial().shape
