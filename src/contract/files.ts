import { z } from 'zod'
import { channelSchema, clipSchema } from './clip.ts'
import { corpusSchema } from './corpus.ts'
import { dateSchema } from './dates.ts'
import { glossSchema } from './glosses.ts'
import { levelSchema } from './levels.ts'
import { transcriptSchema } from './transcript.ts'
import { occurrenceSchema } from './word-clips.ts'

/**
 * The schemas of the published JSON files, for readers without the proxy. The site publishes them.
 */

const pathSchema = z.string().meta({ description: 'Path from the root of the published tree.' })
const pathsSchema = z.array(pathSchema)
const clipIdSchema = z.uuid()

/** `index.json`: where a reader of the files starts. */
const indexSchema = z.strictObject({
  release: z.string(),
  builtAt: dateSchema,
  corpus: pathSchema,
  changes: pathSchema,
  languages: z.record(z.string(), z.strictObject({ words: pathsSchema, clips: pathsSchema })),
})

/** `data/index/<language>/words.<digest>.json`, a word a line. */
const wordIndexSchema = z.strictObject({
  items: z.array(
    z.strictObject({
      wordId: z.int(),
      word: z.string(),
      level: levelSchema,
      meanings: z.partialRecord(glossSchema, z.string()),
      forms: z.array(z.string()),
      clipCount: z.int(),
      lists: z.array(z.strictObject({ path: pathSchema })),
    }),
  ),
})

/** `data/index/<language>/clips.<digest>.json`, a clip a line. */
const clipIndexSchema = z.strictObject({
  items: z.array(
    z.strictObject({
      clipId: clipIdSchema,
      videoId: z.string(),
      title: z.string(),
      level: levelSchema,
      durationS: z.int(),
      channel: channelSchema,
      record: pathSchema,
      transcript: pathSchema,
    }),
  ),
})

/** `data/words/<language>/<wordId>.<digest>.json`, an item a line. */
const wordListSchema = z.strictObject({
  wordId: z.int(),
  language: z.string(),
  items: z.array(
    z.strictObject({
      clip: clipIdSchema,
      knownShare: z.number(),
      occurrenceCount: z.int(),
      occurrences: z.array(occurrenceSchema),
    }),
  ),
})

function changeSchema<Id extends z.ZodType>(id: Id) {
  return z.strictObject({ added: z.array(id), changed: z.array(id), withdrawn: z.array(id) })
}
const fileChangeSchema = z.strictObject({ added: pathsSchema, removed: pathsSchema })

/** `releases/<release>/changes.json`. */
const releaseChangesSchema = z.strictObject({
  from: z.string().nullable(),
  to: z.string(),
  clips: changeSchema(clipIdSchema),
  words: changeSchema(z.int()),
  files: fileChangeSchema.meta({
    description: 'The files that a mirror must fetch, and the files that it can delete.',
  }),
})

/** The schemas by the name under which the site publishes them, `/schemas/<name>.json`. */
export const fileSchemas = {
  index: indexSchema,
  'word-index': wordIndexSchema,
  'clip-index': clipIndexSchema,
  'word-list': wordListSchema,
  changes: releaseChangesSchema,
  corpus: corpusSchema.omit({ release: true, builtAt: true }),
  clip: clipSchema,
  transcript: transcriptSchema,
} satisfies Record<string, z.ZodType>
