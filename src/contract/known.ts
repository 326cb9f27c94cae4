import { z } from 'zod'
import { levelRank, type Level } from './levels.ts'
import { shownAs, splitList } from './parameter-schemas.ts'
import { quoteValue } from './quote-value.ts'

/** The parameter `known` (contract 1.6): what a learner knows, as the caller writes it. */

const knownMaxLength = 6000
/** The most ids that a packed set can hold. */
export const packedIdsMax = 200_000

/** What `known` lists. A packed set is still packed. */
export interface KnownList {
  /** The parameter as it was sent. */
  text: string
  /** Every word at this level or below is known. Null if the list names no level. */
  level: Level | null
  wordIds: number[]
  /** Words that are not known after all. */
  exceptIds: number[]
  /** The packed set in base64url, without the `p.` before it. */
  packed: string | null
}

const itemPattern = /^(?:(?<level>[ABC][12])|(?<sign>-?)(?<wordId>\d+)|p\.(?<packed>[\w-]+))$/

export const unknownCountSchema = z.int().min(0).meta({
  description:
    'Number of different words in the clip that are new to the learner. Present only with `known`.',
  example: 2,
})

/** The text of the parameter → what it lists. Empty entries are dropped. */
export const knownSchema = shownAs(
  z
    .string()
    .refine((text) => text.length <= knownMaxLength, `must have at most ${knownMaxLength} characters`)
    .transform((text, check): KnownList => {
      const list: KnownList = { text, level: null, wordIds: [], exceptIds: [], packed: null }
      for (const item of splitList(text)) {
        const fault = addItem(list, item)
        if (fault !== null) {
          check.addIssue(fault)
          return z.NEVER
        }
      }
      return list
    }),
  {
    type: 'array',
    items: { type: 'string', pattern: '^([ABC][12]|-?[0-9]+|p\\.[A-Za-z0-9_-]+)$' },
    minItems: 1,
    example: ['A2', '412', '-40'],
  },
)

/** Adds an item to the list. Returns what is wrong with it, or null. */
function addItem(list: KnownList, item: string): string | null {
  const parts = itemPattern.exec(item)?.groups
  if (!parts)
    return `must list levels (A2), word ids (12), word ids after a hyphen (-40) and packed sets (p.…), not ${quoteValue(item)}`
  if (parts['level'] !== undefined) {
    const level = parts['level'] as Level
    if (list.level === null || levelRank(level) > levelRank(list.level)) list.level = level
  } else if (parts['wordId'] !== undefined) {
    const ids = parts['sign'] === '-' ? list.exceptIds : list.wordIds
    ids.push(Number(parts['wordId']))
  } else {
    if (list.packed !== null) return 'must have at most one packed set'
    list.packed = parts['packed']!
  }
  return null
}
