import { z } from 'zod'
import descriptions from './descriptions.json' with { type: 'json' }

/** A number of things. */
export const countSchema = z.int().min(0)
/** A time or a length in seconds. */
export const secondsSchema = z.number().min(0)
export const shareSchema = z.number().min(0).max(1)

/**
 * The schema of a record of the API, in the OpenAPI document under `id`. What descriptions.json
 * says of its fields goes before what their own schemas say.
 */
export function recordSchema<Shape extends Record<string, z.ZodType>>(
  id: keyof typeof descriptions.records,
  shape: Shape,
): z.ZodObject<Shape, z.core.$strict> {
  const metas = Object.entries(descriptions.records[id])
  const fields = metas.map(([name, meta]) => [name, shape[name]!.meta({ ...shape[name]!.meta(), ...meta })])
  return z.strictObject({ ...shape, ...(Object.fromEntries(fields) as Shape) }).meta({ id })
}
