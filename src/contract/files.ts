import { z } from 'zod'
import { idChanges } from './changes.ts'
import { clipIdSchema, clipSchema } from './clip.ts'
import { corpusSchema } from './corpus.ts'
import { dateSchema } from './dates.ts'
import { glossSchema } from './glosses.ts'
import { shareSchema } from './record.ts'
import { transcriptSchema } from './transcript.ts'
import { wordClipSchema } from './word-clips.ts'
import { wordSchema } from './word.ts'

/**
 * The schemas of the published JSON files, for readers without the proxy. The site publishes them.
 */

const pathSchema = z.string().meta({ description: 'Path from the root of the published tree.' })
const pathsSchema = z.array(pathSchema)

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
    wordSchema.omit({ meaning: true }).extend({
      meanings: z.partialRecord(glossSchema, z.string()),
      forms: z.array(z.string()),
      lists: z.array(z.strictObject({ path: pathSchema })),
    }),
  ),
})

/** `data/index/<language>/clips.<digest>.json`, a clip a line. */
const clipIndexSchema = z.strictObject({
  items: z.array(
    clipSchema
      .pick({ clipId: true, videoId: true, title: true, level: true, durationS: true, channel: true })
      .extend({ record: pathSchema, transcript: pathSchema }),
  ),
})

/** `data/words/<language>/<wordId>.<digest>.json`, an item a line. */
const wordListSchema = z.strictObject({
  wordId: z.int(),
  language: z.string(),
  items: z.array(
    wordClipSchema.omit({ unknownCount: true }).extend({ clip: clipIdSchema, knownShare: shareSchema }),
  ),
})

/** `releases/<release>/changes.json`. */
const releaseChangesSchema = z.strictObject({
  from: z.string().nullable(),
  to: z.string(),
  clips: z.strictObject(idChanges(clipIdSchema)),
  words: z.strictObject(idChanges(z.int())),
  files: z.strictObject({ added: pathsSchema, removed: pathsSchema }).meta({
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
