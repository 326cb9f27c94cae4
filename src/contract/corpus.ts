import { z } from 'zod'
import { languageSchema } from './clip.ts'
import { dateSchema } from './dates.ts'
import { glosses, type Gloss } from './glosses.ts'
import { levels, type Level } from './levels.ts'

const countSchema = z.int().min(0)
const shareSchema = z.number().min(0).max(1)

function perLevel<T extends z.ZodType>(schema: T) {
  return z.strictObject(Object.fromEntries(levels.map((level) => [level, schema])) as Record<Level, T>)
}

const languageCoverageSchema = z
  .strictObject({
    language: languageSchema,
    clipCount: countSchema,
    totalDurationS: countSchema,
    channelCount: countSchema,
    clipsByLevel: perLevel(countSchema),
    wordCount: countSchema.meta({ description: 'Number of words in the catalogue, with or without clips.' }),
    wordsWithClips: countSchema,
    wordsByLevel: perLevel(z.strictObject({ words: countSchema, withClips: countSchema })),
    glossCoverage: z
      .strictObject(
        Object.fromEntries(glosses.map((gloss) => [gloss, shareSchema])) as Record<Gloss, typeof shareSchema>,
      )
      .meta({ description: 'Share of words that have a meaning in each gloss.' }),
  })
  .meta({ id: 'LanguageCoverage' })
export type LanguageCoverage = z.infer<typeof languageCoverageSchema>

/**
 * The content of a corpus file under `data/`: the record of GET /corpus without the fields that
 * change with every release.
 */
export type Coverage = Omit<Corpus, 'release' | 'builtAt'>

/** The answer of GET /corpus. */
export const corpusSchema = z
  .strictObject({
    release: z.string().meta({ description: 'Id of the release in service.', example: '000001-3fa9c2d1' }),
    builtAt: dateSchema,
    clipCount: countSchema,
    totalDurationS: countSchema,
    channelCount: countSchema,
    glosses: z.array(z.enum(glosses)),
    languages: z
      .array(languageCoverageSchema)
      .meta({ description: 'Languages that have a catalogue or clips, sorted by code.' }),
  })
  .meta({ id: 'Corpus' })
export type Corpus = z.infer<typeof corpusSchema>
