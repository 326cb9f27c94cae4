import { z } from 'zod'
import { codePointLength } from '#kit/code-points.ts'
import { releaseExample } from './changes.ts'
import { languageSchema, maxClipDurationS } from './clip.ts'
import { glossSchema } from './glosses.ts'
import { knownMaxLength, knownSchema, packedIdsMax } from './known.ts'
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

/** The parameters of the API. A schema parses decoded text, and appears in the OpenAPI document. */

export const limitRange = { min: 1, max: 100, default: 20 } as const
const excludeMax = 50
const wordIdsMax = 100
const spellingsMax = 100
const clipIdsMax = 50
const channelsMax = 20
const cursorMaxLength = 512
export const defaultLanguage = 'en'
export const defaultGloss = 'en'

/** A parameter of an operation. */
export interface Parameter<T = unknown> {
  /** Parses decoded text. Its messages follow the parameter's name: `must be …`. */
  schema: z.ZodType<T, string>
  description: string
  list?: boolean
  /** The parameters that a cursor is bound to: with it, they can be omitted, but not changed. */
  boundNames?: readonly string[]
  /** Whether a request without the parameter is refused. */
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
      `must list 1 to ${wordIdsMax} numeric word ids, separated by commas`,
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

const spellingLength = 100
const spellingsSchema = documentedAs(
  z
    .string()
    .transform((text) => splitList(text.normalize('NFC')))
    .refine(({ length }) => length >= 1 && length <= spellingsMax, `must list 1 to ${spellingsMax} spellings`)
    .refine(
      (spellings) => spellings.every((spelling) => codePointLength(spelling) <= spellingLength),
      `must list spellings of at most ${spellingLength} characters each`,
    )
    .transform((spellings) => [...new Set(spellings)]),
  {
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: spellingLength },
    minItems: 1,
    maxItems: spellingsMax,
    example: ['run', 'looked after'],
  },
)

const qSchema = textSchema(100, { example: 'look', isTrimmed: true })

const cursorSchema = documentedAs(
  z.string().max(cursorMaxLength, `must have at most ${cursorMaxLength} characters`),
  { type: 'string', minLength: 1, maxLength: cursorMaxLength },
)

const schemas = {
  clipId: z.string().meta({ example: '0f3c5a52-7a0e-5b1c-9d64-0f5a2f7f9b11' }),
  word: textSchema(100, { example: 'run', isTrimmed: false }),
  language: languageSchema.meta({ default: defaultLanguage }),
  // Has no default, because a request with a cursor takes the language from the cursor.
  listLanguage: languageSchema,
  gloss: glossSchema.meta({ default: defaultGloss }),
  level: levelSchema,
  wordLevels: levelListSchema,
  exclude: idListSchema({ min: 0, max: excludeMax, example: ['dQw4w9WgXcQ'] }),
  wordIds: wordIdsSchema,
  spellings: spellingsSchema,
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
  searchIn: z.enum(['spellings', 'meanings'], { error: () => 'must be spellings or meanings' }),
  hasClips: booleanSchema,
  limit: wholeNumberSchema(limitRange),
  // Has no default, because `limit` cannot be combined with `ids`, not even with its default value.
  wordsLimit: wholeNumberSchema({ min: limitRange.min, max: limitRange.max }),
  ifNoneMatch: z.string(),
}
type Schemas = typeof schemas

/** The numbers that replace names in braces in descriptions.json. */
const bounds: Record<string, number> = {
  sentenceTokensMax,
  knownMaxLength,
  packedIdsMax,
  defaultLimit: limitRange.default,
}

/** The parameters, keyed by name, or by another name where operations differ. */
export const parameters = Object.fromEntries(
  Object.entries(schemas).map(([name, schema]) => {
    const row = descriptions.parameters[name as keyof Schemas]
    const description = row.description.replace(
      /\{(\w+)\}/g,
      (braces, boundName: string) => bounds[boundName]?.toLocaleString('en') ?? braces,
    )
    return [name, { schema, ...row, description }]
  }),
) as { [Name in keyof Schemas]: { schema: Schemas[Name] } & (typeof descriptions.parameters)[Name] }

/** Returns the cursor parameter of an operation, bound to some of its parameters. */
export function cursorOf<const Bound extends readonly string[]>(
  ...boundNames: Bound
): Parameter<string> & { boundNames: Bound } {
  const names = new Intl.ListFormat('en-GB').format(boundNames.map((name) => `\`${name}\``))
  return {
    schema: cursorSchema,
    boundNames,
    description: descriptions.parameters.cursor.description.replace('{bound}', names),
  }
}
