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

/** Schemas of the published JSON files, for programs that read them without the proxy. */

const pathSchema = z.string().meta({ description: 'Path from the root of the published tree.' })
const pathsSchema = z.array(pathSchema)

/** `index.json`, the entry point of the published files. */
const indexSchema = z.strictObject({
  release: z.string(),
  builtAt: dateSchema,
  corpus: pathSchema,
  changes: pathSchema,
  languages: z.record(z.string(), z.strictObject({ words: pathsSchema, clips: pathsSchema })),
})

/** `data/index/<language>/words.<digest>.json`, with one word per line. */
const wordIndexSchema = z.strictObject({
  items: z.array(
    wordSchema.omit({ meaning: true }).extend({
      meanings: z.partialRecord(glossSchema, z.string()),
      forms: z.array(z.string()),
      lists: z.array(z.strictObject({ path: pathSchema })),
    }),
  ),
})

/** `data/index/<language>/clips.<digest>.json`, with one clip per line. */
const clipIndexSchema = z.strictObject({
  items: z.array(
    clipSchema
      .pick({ clipId: true, videoId: true, title: true, level: true, durationS: true, channel: true })
      .extend({ record: pathSchema, transcript: pathSchema }),
  ),
})

/** `data/words/<language>/<wordId>.<digest>.json`, with one item per line. */
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

/** The schemas that the site publishes as `/schemas/<name>.json`, keyed by name. */
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
