import { z } from 'zod'
import { languageSchema } from './clip.ts'
import { dateSchema } from './dates.ts'
import { glosses, type Gloss } from './glosses.ts'
import { levels, type Level } from './levels.ts'
import { countSchema, recordSchema, shareSchema } from './record.ts'

function perLevel<T extends z.ZodType>(schema: T) {
  return z.strictObject(Object.fromEntries(levels.map((level) => [level, schema])) as Record<Level, T>)
}

const languageCoverageSchema = recordSchema('LanguageCoverage', {
  language: languageSchema,
  clipCount: countSchema,
  totalDurationS: countSchema,
  channelCount: countSchema,
  clipsByLevel: perLevel(countSchema),
  wordCount: countSchema,
  wordsWithClips: countSchema,
  wordsByLevel: perLevel(
    z.strictObject({
      words: countSchema.meta({ description: 'Number of words at this level.' }),
      withClips: countSchema.meta({ description: 'Number of these words that are said in a clip.' }),
    }),
  ),
  glossCoverage: z.strictObject(
    Object.fromEntries(glosses.map((gloss) => [gloss, shareSchema])) as Record<Gloss, typeof shareSchema>,
  ),
})
export type LanguageCoverage = z.infer<typeof languageCoverageSchema>

/** A corpus file in `data/`: GET /corpus without the fields that change with every release. */
export type Coverage = Omit<Corpus, 'release' | 'builtAt'>

/** The response to GET /corpus. */
export const corpusSchema = recordSchema('Corpus', {
  release: z.string(),
  builtAt: dateSchema,
  clipCount: countSchema,
  totalDurationS: countSchema,
  channelCount: countSchema,
  glosses: z.array(z.enum(glosses)),
  languages: z.array(languageCoverageSchema),
})
export type Corpus = z.infer<typeof corpusSchema>
