import { z } from 'zod'
import { releaseExample } from './changes.ts'
import { languageSchema, maxClipDurationS } from './clip.ts'
import { glossSchema } from './glosses.ts'
import { knownSchema } from './known.ts'
import { levelSchema } from './levels.ts'
import {
  hundredthsSchema,
  idListSchema,
  levelListSchema,
  documentedAs,
  splitList,
  textSchema,
  wholeNumberSchema,
} from './parameter-schemas.ts'
import descriptions from './descriptions.json' with { type: 'json' }
import { sentenceTokensMax } from './sentences.ts'

/**
 * Every parameter of the API (contract 1.1). Its schema parses the decoded text; the OpenAPI
 * document shows it.
 */

export const limitRange = { min: 1, max: 100, default: 20 } as const
const excludeMax = 50
const wordIdsMax = 100
const clipIdsMax = 50
const channelsMax = 20
const cursorMaxLength = 512
export const defaultLanguage = 'en'
export const defaultGloss = 'en'

/** One parameter: how its decoded text becomes a value, and how the documents show it. */
export interface Parameter<T = unknown> {
  /** Decoded text → value. Its messages continue the parameter's name: `must be …`. */
  schema: z.ZodType<T, string>
  description: string
  list?: boolean
  /**
   * Of a cursor: the parameters that it is bound to. With a cursor, one that is left out is taken
   * from it, and one that differs is refused.
   */
  bound?: readonly string[]
  /** Whether a request without it is refused. */
  isRequired?: boolean
}

const booleanSchema = documentedAs(
  z.enum(['true', 'false'], { error: () => 'must be true or false' }).transform((text) => text === 'true'),
  { type: 'boolean' },
)

const wordIdsSchema = documentedAs(
  z
    .string()
    .transform(splitList)
    .refine(
      (ids) => ids.length >= 1 && ids.length <= wordIdsMax && ids.every((id) => /^\d+$/.test(id)),
      `must be 1 to ${wordIdsMax} word ids, digits only`,
    )
    .transform((ids) => [...new Set(ids.map(Number))]),
  {
    type: 'array',
    items: { type: 'integer', minimum: 0 },
    minItems: 1,
    maxItems: wordIdsMax,
    example: [12, 40],
  },
)

const qSchema = textSchema(100, { example: 'look', isTrimmed: true })

const cursorSchema = documentedAs(
  z.string().max(cursorMaxLength, `must have at most ${cursorMaxLength} characters`),
  { type: 'string', minLength: 1, maxLength: cursorMaxLength },
)

const wordTextSchema = documentedAs(
  z.string().transform((text) => text.normalize('NFC')),
  { type: 'string', example: 'run' },
)

const schemas = {
  clipId: z.string().meta({ example: '0f3c5a52-7a0e-5b1c-9d64-0f5a2f7f9b11' }),
  word: wordTextSchema,
  language: languageSchema.meta({ default: defaultLanguage }),
  // As `language`, but with a cursor, leaving it out is not the same as sending the default.
  listLanguage: languageSchema,
  gloss: glossSchema.meta({ default: defaultGloss }),
  level: levelSchema,
  wordLevels: levelListSchema,
  exclude: idListSchema({ min: 0, max: excludeMax, example: ['dQw4w9WgXcQ'] }),
  wordIds: wordIdsSchema,
  clipIds: idListSchema({ min: 1, max: clipIdsMax, example: ['dQw4w9WgXcQ'] }),
  clipLevel: levelListSchema,
  channel: idListSchema({ min: 1, max: channelsMax, example: ['UC1234'] }),
  hasFocusWord: booleanSchema,
  context: booleanSchema,
  maxDurationS: wholeNumberSchema({ min: 1, max: maxClipDurationS }),
  known: knownSchema,
  minKnownShare: hundredthsSchema,
  maxUnknown: wholeNumberSchema({ min: 0, max: 100 }),
  sentenceQ: qSchema,
  match: z.enum(['forms', 'exact'], { error: () => 'must be forms or exact' }),
  since: z.string().meta({ minLength: 1, example: releaseExample }),
  seed: textSchema(64, { example: 'monday-morning', isTrimmed: false }),
  q: qSchema,
  hasClips: booleanSchema,
  limit: wholeNumberSchema(limitRange),
  // As `limit`, which `ids` excludes even with its default.
  wordsLimit: wholeNumberSchema({ min: limitRange.min, max: limitRange.max }),
  ifNoneMatch: z.string(),
}
type Schemas = typeof schemas

/** The numbers that descriptions.json names in braces. */
const bounds: Record<string, number> = { sentenceTokensMax, defaultLimit: limitRange.default }

/** The parameters by name, or by another where operations have different ones of one name. */
export const parameters = Object.fromEntries(
  Object.entries(schemas).map(([name, schema]) => {
    const row = descriptions.parameters[name as keyof Schemas]
    const description = row.description.replace(/\{(\w+)\}/g, (_, bound: string) => String(bounds[bound]))
    return [name, { schema, ...row, description }]
  }),
) as { [Name in keyof Schemas]: { schema: Schemas[Name] } & (typeof descriptions.parameters)[Name] }

/** The cursor of an operation, which is bound to these of its parameters. */
export function cursorOf<const Bound extends readonly string[]>(
  ...bound: Bound
): Parameter<string> & { bound: Bound } {
  const names = new Intl.ListFormat('en-GB').format(bound.map((name) => `\`${name}\``))
  return {
    schema: cursorSchema,
    bound,
    description: descriptions.parameters.cursor.description.replace('{bound}', names),
  }
}
