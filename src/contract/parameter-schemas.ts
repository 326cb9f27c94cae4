import { z } from 'zod'
import 'zod-openapi'
import { codePointLength } from '#kit/code-points.ts'
import { isLevel } from './levels.ts'
import { quoteValue } from './quote-value.ts'

/** Schemas that parse the decoded text of parameters. */

/** Returns a schema that appears as `documentedSchema` in the OpenAPI document. */
export function documentedAs<S extends z.ZodType>(schema: S, documentedSchema: Record<string, unknown>): S {
  return schema.meta({
    override: ({ jsonSchema }) => {
      for (const key of Object.keys(jsonSchema)) delete (jsonSchema as Record<string, unknown>)[key]
      Object.assign(jsonSchema, documentedSchema)
    },
  })
}

/**
 * Returns the schema of a text of 1 to `max` code points. They are counted in NFC, so the length
 * does not depend on how accents are encoded.
 */
export function textSchema(max: number, { example, isTrimmed }: { example: string; isTrimmed: boolean }) {
  return documentedAs(
    z
      .string()
      .transform((text) => toNfc(isTrimmed ? text.trim() : text, max))
      .refine((text) => text !== '' && codePointLength(text) <= max, `must have 1 to ${max} characters`),
    { type: 'string', minLength: 1, maxLength: max, example },
  )
}

/**
 * Returns the text in NFC unless it is certainly too long, because normalising 8 KB of combining
 * marks takes 2 ms. A character in NFC consists of at most 4 UTF-16 units before normalisation
 * (Unicode Standard Annex 15, "Maximum expansion").
 */
function toNfc(text: string, max: number): string {
  return text.length <= 4 * max ? text.normalize('NFC') : text
}

/** Returns the schema of a whole number within a range, written in digits only. */
export function wholeNumberSchema({
  min,
  max,
  ...documentedSchema
}: {
  min: number
  max: number
  default?: number
}) {
  const message = `must be a whole number from ${min} to ${max}`
  return documentedAs(
    z
      .string()
      .regex(/^\d+$/, message)
      .transform(Number)
      .refine((value) => value >= min && value <= max, message),
    { type: 'integer', minimum: min, maximum: max, ...documentedSchema },
  )
}

/** A share from 0 to 1, with at most 2 decimals. */
export const hundredthsSchema = documentedAs(
  z
    .string()
    .regex(/^(0(\.\d{1,2})?|1(\.0{1,2})?)$/, 'must be a number from 0 to 1 with at most 2 decimals')
    .transform(Number),
  { type: 'number', minimum: 0, maximum: 1, example: 0.9 },
)

/** Parses comma-separated levels into distinct levels, easiest first. */
export const levelListSchema = documentedAs(
  z.string().transform((text, check) => {
    const items = text.split(',').map((item) => item.trim())
    const other = items.find((item) => !isLevel(item))
    if (other !== undefined) check.addIssue(`contains ${quoteValue(other)}, which is not a level (A1 to C2)`)
    return [...new Set(items.filter(isLevel))].sort()
  }),
  { type: 'array', items: { $ref: '#/components/schemas/Level' }, minItems: 1, example: ['A1', 'A2'] },
)

/** Splits a comma-separated list into trimmed items, without empty ones. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** Returns the schema of a list of `min` to `max` comma-separated ids. */
export function idListSchema({ min, max, example }: { min: 0 | 1; max: number; example: string[] }) {
  return documentedAs(
    z
      .string()
      .transform((text) => splitList(text.normalize('NFC')))
      .refine(
        ({ length }) => length >= min && length <= max,
        min === 0 ? `must list at most ${max} ids` : `must list ${min} to ${max} ids`,
      ),
    {
      type: 'array',
      items: { type: 'string' },
      // An empty list is treated as absent.
      minItems: 1,
      maxItems: max,
      example,
    },
  )
}
