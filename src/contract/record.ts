import { z } from 'zod'
import descriptions from './descriptions.json' with { type: 'json' }

/** A count. */
export const countSchema = z.int().min(0)
/** A point in time or a duration, in seconds. */
export const secondsSchema = z.number().min(0)
export const shareSchema = z.number().min(0).max(1)

/**
 * Returns the schema of a record of the API, which the OpenAPI document contains under `id`. The
 * descriptions and examples in descriptions.json override those of the fields' own schemas.
 */
export function recordSchema<Shape extends Record<string, z.ZodType>>(
  id: keyof typeof descriptions.records,
  shape: Shape,
): z.ZodObject<Shape, z.core.$strict> {
  const fields = Object.entries(descriptions.records[id]).map(([name, meta]) => {
    // Without its id, so that the document refers to the record instead of repeating it.
    const { id: _, ...fieldMeta } = shape[name]!.meta() ?? {}
    return [name, shape[name]!.meta({ ...fieldMeta, ...meta })]
  })
  return z.strictObject({ ...shape, ...(Object.fromEntries(fields) as Shape) }).meta({ id })
}
