import { z } from 'zod'

/** The languages in which meanings are given: first English, which stands in for the others. */
export const glosses = ['en', 'es', 'ja', 'pt', 'ru', 'tr', 'zh'] as const
export type Gloss = (typeof glosses)[number]

export const glossSchema = z
  .enum(glosses, { error: () => `must be one of ${glosses.join(', ')}` })
  .meta({ id: 'Gloss', description: 'Language in which meanings are written.', example: 'en' })

/** Meanings by gloss; any may be missing. */
export type Meanings = Partial<Record<Gloss, string>>
