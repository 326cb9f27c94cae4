import { z } from 'zod'

/** The languages of meanings. English comes first and is the fallback for the others. */
export const glosses = ['en', 'es', 'ja', 'pt', 'ru', 'tr', 'zh'] as const
export type Gloss = (typeof glosses)[number]

export const glossSchema = z
  .enum(glosses, { error: () => `must be one of ${glosses.join(', ')}` })
  .meta({ id: 'Gloss', description: 'Language in which meanings are written.', example: 'en' })

/** Meanings, keyed by gloss. */
export type Meanings = Partial<Record<Gloss, string>>
