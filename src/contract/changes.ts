import { z } from 'zod'
import { clipIdSchema } from './clip.ts'
import { recordSchema } from './record.ts'
import { wordIdSchema } from './word.ts'

/** An example of a release id. */
export const releaseExample = '000012-3f9ab04c'

/** Returns the shape of the ids that differ between two releases. */
export function idChanges<Id extends z.ZodType>(id: Id) {
  return { added: z.array(id), changed: z.array(id), withdrawn: z.array(id) }
}

/** The response to GET /changes. */
export const changesSchema = recordSchema('Changes', {
  from: z.string(),
  to: z.string(),
  clips: recordSchema('ClipChanges', idChanges(clipIdSchema)),
  words: recordSchema('WordChanges', idChanges(wordIdSchema)),
})
export type Changes = z.infer<typeof changesSchema>
