import { z } from 'zod'
import { levels } from './levels.ts'
import { documentedAs, splitList } from './parameter-schemas.ts'
import { quoteValue } from './quote-value.ts'

/** The parameter `known`, which lists the words that a learner knows. */

/** The maximum length of the list in characters. */
export const knownMaxLength = 6000
/** The maximum number of ids in a packed set. */
export const packedIdsMax = 200_000

/** The items in `known`. */
export interface KnownList {
  /** The text of the parameter. */
  text: string
  /** The rank of the level up to which all words are known; −1 if there is none. */
  levelRank: number
  wordIds: number[]
  /** Exceptions: words that are not known. */
  exceptIds: number[]
  /** The packed set in base64url, without the prefix `p.`. */
  packedSet: string | null
  /** The digest of the key that sent the list; absent before the key has been read. */
  keyDigest?: string
}

const itemPattern = /^(?:[ABC][12]|-?\d+|p\.[\w-]+)$/

export const unknownCountSchema = z.int().min(0).meta({
  description:
    'Number of different words in the clip that are new to the learner. Present only with `known`.',
  example: 2,
})

/** Parses the text of the parameter. Ignores empty items. */
export const knownSchema = documentedAs(
  z
    .string()
    .max(knownMaxLength, `must have at most ${knownMaxLength} characters`)
    .transform((text, check): KnownList => {
      const items = splitList(text)
      const unknown = items.find((item) => !itemPattern.test(item))
      const packedSets = items.filter((item) => item.startsWith('p.'))
      if (unknown !== undefined)
        check.addIssue(
          `contains ${quoteValue(unknown)}, which is not a level (A1 to C2), a word id or a packed set`,
        )
      if (packedSets.length > 1) check.addIssue('contains more than one packed set')
      return {
        text,
        levelRank: levels.findLastIndex((level) => items.includes(level)),
        wordIds: items.filter((item) => /^\d/.test(item)).map(Number),
        exceptIds: items.filter((item) => item.startsWith('-')).map((item) => Number(item.slice(1))),
        packedSet: packedSets[0]?.slice(2) ?? null,
      }
    }),
  {
    type: 'array',
    items: { type: 'string', pattern: '^([ABC][12]|-?[0-9]+|p\\.[A-Za-z0-9_-]+)$' },
    minItems: 1,
    example: ['A2', '412', '-40'],
  },
)
