import { z } from 'zod'
import 'zod-openapi'
import { codePointLength } from '#kit/code-points.ts'
import { levelSchema, type Level } from './levels.ts'

/** Schemas that parse the decoded text of a parameter. */

/** Shows a schema that parses text as `shown` in the OpenAPI document. */
export function documentedAs<S extends z.ZodType>(schema: S, documentedSchema: Record<string, unknown>): S {
  return schema.meta({
    override: ({ jsonSchema }) => {
      for (const key of Object.keys(jsonSchema)) delete (jsonSchema as Record<string, unknown>)[key]
      Object.assign(jsonSchema, documentedSchema)
    },
  })
}

/**
 * Text of 1 to `max` code points, counted in NFC: the encoding of its accents makes no difference,
 * and a seed that is returned is as long as the one that was checked.
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
 * The text in NFC, where that can have at most `max` characters; else the text as it is, because
 * normalising 8 KB of combining marks takes 2 ms. A character is composed of at most 4 units of
 * UTF-16 (Unicode Standard Annex 15, "Maximum expansion").
 */
function toNfc(text: string, max: number): string {
  return text.length <= 4 * max ? text.normalize('NFC') : text
}

/** A whole number within a range, digits only: no sign, no exponent, no `0x`. */
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

/** A share from 0 to 1 with at most 2 decimals. */
export const hundredthsSchema = documentedAs(
  z
    .string()
    .regex(/^(0(\.\d{1,2})?|1(\.0{1,2})?)$/, 'must be a number from 0 to 1 with at most 2 decimals')
    .transform(Number),
  { type: 'number', minimum: 0, maximum: 1, multipleOf: 0.01, example: 0.9 },
)

/** Comma separated levels in any order → levels in the order of the scale, each once. */
export const levelListSchema = documentedAs(
  z
    .string()
    .transform((text) => text.split(',').map((item) => item.trim()))
    .pipe(z.array(levelSchema))
    .transform((list): Level[] => [...new Set(list)].sort()),
  { type: 'array', items: { $ref: '#/components/schemas/Level' }, minItems: 1, example: ['A1', 'A2'] },
)

/** Comma separated texts, blanks trimmed, empty entries dropped. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** Comma separated ids, at least `min` and at most `max` of them. */
export function idListSchema({ min, max, example }: { min: 0 | 1; max: number; example: string[] }) {
  return documentedAs(
    z
      .string()
      .transform((text) => splitList(text.normalize('NFC')))
      .refine(
        ({ length }) => length >= min && length <= max,
        min === 0 ? `must have at most ${max} ids` : `must have ${min} to ${max} ids`,
      ),
    {
      type: 'array',
      items: { type: 'string' },
      // An empty list counts as absent.
      minItems: 1,
      maxItems: max,
      example,
    },
  )
}
