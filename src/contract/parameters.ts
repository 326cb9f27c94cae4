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
  shownAs,
  splitList,
  textSchema,
  wholeNumberSchema,
} from './parameter-schemas.ts'
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
  list?: true
  /**
   * Of a cursor: the parameters that it is bound to. With a cursor, one that is left out is taken
   * from it, and one that differs is refused.
   */
  bound?: readonly string[]
  /** Whether a request without it is refused. */
  isRequired?: true
}

const booleanSchema = shownAs(
  z.enum(['true', 'false'], { error: () => 'must be true or false' }).transform((text) => text === 'true'),
  { type: 'boolean' },
)

const wordIdsSchema = shownAs(
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

const matchSchema = z.enum(['forms', 'exact'], { error: () => 'must be forms or exact' })

const cursorSchema = shownAs(
  z
    .string()
    .refine((text) => text.length <= cursorMaxLength, `must have at most ${cursorMaxLength} characters`),
  { type: 'string', minLength: 1, maxLength: cursorMaxLength },
)

const wordTextSchema = shownAs(
  z.string().transform((text) => text.normalize('NFC')),
  { type: 'string', example: 'run' },
)

export const pathParameters = {
  clipId: {
    schema: z.string().meta({ example: '0f3c5a52-7a0e-5b1c-9d64-0f5a2f7f9b11' }),
    description: 'A clip id (a UUID, in upper or lower case) or a video id (case-sensitive).',
  },
  word: {
    schema: wordTextSchema,
    description:
      'A headword or another spelling of it (a form, romaji, pinyin), in upper or lower case, with hyphens or spaces. Diacritics are ignored unless a word has exactly this spelling. A number is treated as a `wordId` unless the catalogue has a word with this spelling.',
  },
} satisfies Record<string, Parameter>

export const queryParameters = {
  language: {
    schema: languageSchema.meta({ default: defaultLanguage }),
    description: 'Language of the clips. If `/corpus` does not list the language, there are no results.',
  },
  // As `language`, but with a cursor, leaving it out is not the same as sending the default.
  listLanguage: {
    schema: languageSchema,
    description:
      'Language of the clips. If `/corpus` does not list the language, there are no results. The default is English (`en`) or, with a `cursor`, the language of the first page.',
  },
  gloss: {
    schema: glossSchema.meta({ default: defaultGloss }),
    description:
      'Language in which the meanings of words are returned. If a word has no meaning in this language, its English meaning is returned.',
  },
  level: {
    schema: levelSchema,
    description:
      "The learner's level. Focus words are chosen from the next level up. If you omit this parameter, focus words are chosen from the level above each clip's level. This parameter does not filter clips.",
  },
  wordLevels: {
    schema: levelListSchema,
    description: 'Return only words at these levels. Separate levels with commas.',
    list: true,
  },
  exclude: {
    schema: idListSchema({ min: 0, max: excludeMax, example: ['dQw4w9WgXcQ'] }),
    description: 'Clip ids or video ids to leave out, separated by commas. Unknown ids are ignored.',
    list: true,
  },
  wordIds: {
    schema: wordIdsSchema,
    description:
      'Return only the words with these ids, from any language. Separate ids with commas. Each word is returned once, in the order of the ids. Unknown ids are ignored. You can combine `ids` only with `gloss`.',
    list: true,
  },
  clipIds: {
    schema: idListSchema({ min: 1, max: clipIdsMax, example: ['dQw4w9WgXcQ'] }),
    description: 'Clip ids or video ids, separated by commas.',
    list: true,
    isRequired: true as const,
  },
  clipLevel: {
    schema: levelListSchema,
    description: 'Return only clips at these levels. Separate levels with commas.',
    list: true,
  },
  channel: {
    schema: idListSchema({ min: 1, max: channelsMax, example: ['UC1234'] }),
    description: 'Return only clips from the channels with these ids. Separate ids with commas.',
    list: true,
  },
  hasFocusWord: {
    schema: booleanSchema,
    description: 'With `true`, return only clips that have a focus word.',
  },
  context: {
    schema: booleanSchema,
    description:
      'With `true`, each focus word includes the line in which it is first said, and its position in the line.',
  },
  maxDurationS: {
    schema: wholeNumberSchema({ min: 1, max: maxClipDurationS }),
    description: 'Return only clips of at most this length, in seconds.',
  },
  known: {
    schema: knownSchema,
    description:
      'What the learner knows, as a comma-separated list. It can contain a level (`A2` means every word at A2 or below), ids of words that the learner knows (`412`), and ids with a hyphen for words that the learner does not know (`-40`). It can also contain one packed set of word ids (`p.…`). Unknown ids are ignored. With this parameter, each item has `knownShare` and `unknownCount` for this learner.',
    list: true,
  },
  minKnownShare: {
    schema: hundredthsSchema,
    description:
      'Return only clips in which the learner knows at least this share of the words, from 0 to 1 with at most 2 decimal places. Requires `known`.',
  },
  maxUnknown: {
    schema: wholeNumberSchema({ min: 0, max: 100 }),
    description:
      'Return only clips with at most this many words that the learner does not know. Requires `known`.',
  },
  sentenceQ: {
    schema: qSchema,
    description: `The words to search for (at most ${sentenceTokensMax}). Case and diacritics are ignored. You can omit this parameter if you send a \`cursor\`.`,
    isRequired: true as const,
  },
  match: {
    schema: matchSchema,
    description:
      'With `forms`, a query word matches all forms of the catalogue words that it can represent, so `look after` finds “looking after”. With `exact`, a query word matches only itself. The default is `forms` or, with a `cursor`, the value from the first page.',
  },
  since: {
    schema: z.string().meta({ minLength: 1, example: releaseExample }),
    description: 'The release that your copies come from, as returned by `/corpus`.',
    isRequired: true as const,
  },
  seed: {
    schema: textSchema(64, { example: 'monday-morning', isTrimmed: false }),
    description:
      'To repeat a shuffle, send its seed. If you do not send a seed, the service generates one and returns it.',
  },
  q: {
    schema: qSchema,
    description:
      'The text to search for in words. Case and diacritics are ignored. Other spellings also match: inflected forms, kana, romaji, pinyin, and the other Chinese script. Without `q`, all words match, and words with more clips come first.',
  },
  hasClips: {
    schema: booleanSchema,
    description:
      'Whether to return only words that have clips. The default is `true` or, with a `cursor`, the value from the first page.',
  },
  limit: {
    schema: wholeNumberSchema(limitRange),
    description: 'Number of items per page.',
  },
  // As `limit`, which `ids` excludes even with its default.
  wordsLimit: {
    schema: wholeNumberSchema({ min: limitRange.min, max: limitRange.max }),
    description: `Number of items per page, ${limitRange.default} by default.`,
  },
} satisfies Record<string, Parameter>

/** The cursor of an operation, which is bound to these of its parameters. */
export function cursorOf<const Bound extends readonly string[]>(
  ...bound: Bound
): Parameter<string> & { bound: Bound } {
  const names = new Intl.ListFormat('en-GB').format(bound.map((name) => `\`${name}\``))
  return {
    schema: cursorSchema,
    bound,
    description: `The \`nextCursor\` of the previous page. With a cursor, leave out ${names}, or send the same values. All other parameters can change from page to page.`,
  }
}
