import { z } from 'zod'
import { clipIdSchema } from './clip.ts'
import { wordIdSchema } from './word.ts'

/** The id of a release, as `/corpus` shows it. */
export const releaseExample = '000012-3f9ab04c'

function changeSchema<Id extends z.ZodType>(id: Id) {
  return z.strictObject({
    added: z.array(id).meta({ description: 'Ids that are only in the current release.' }),
    changed: z
      .array(id)
      .meta({ description: 'Ids whose content differs between the two releases. Delete your copies.' }),
    withdrawn: z
      .array(id)
      .meta({ description: 'Ids that are no longer in the current release. Delete your copies.' }),
  })
}

/** The answer of GET /changes. */
export const changesSchema = z
  .strictObject({
    from: z.string().meta({ description: 'The release in your request.', example: releaseExample }),
    to: z.string().meta({ description: 'The release in service.', example: '000013-51c0de77' }),
    clips: changeSchema(clipIdSchema).meta({ id: 'ClipChanges' }),
    words: changeSchema(wordIdSchema).meta({ id: 'WordChanges' }),
  })
  .meta({ id: 'Changes' })
export type Changes = z.infer<typeof changesSchema>
