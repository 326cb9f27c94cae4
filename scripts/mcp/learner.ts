import type { CallOptions } from '#client/call-options.ts'
import { KnownWords } from '#client/known/known-words.ts'
import { wordsBySpelling } from '#client/helpers/words-by-spelling.ts'
import type { Operations } from '#client/operations.ts'
import { isLevel } from '#contract/levels.ts'

export interface Learner {
  known: KnownWords
  /** Names the items that are neither levels nor words. Empty if there are none. */
  note: string
}

/** Reads `known`: levels, words in any spelling and, with a hyphen before them, exceptions. */
export async function readLearner(
  client: Operations,
  items: readonly string[],
  options: CallOptions & { language?: string | undefined },
): Promise<Learner> {
  const isKnownLevel = (text: string) => isLevel(text.toUpperCase())
  const texts = items.map((item) => item.trim()).filter(Boolean)
  const known = KnownWords.parse(texts.filter(isKnownLevel).join().toUpperCase())
  const spellings = texts.filter((text) => !isKnownLevel(text) && !text.startsWith('-'))
  const newSpellings = texts.filter((text) => text.startsWith('-')).map((text) => text.slice(1))
  const missing = await known.addSpellings(client, spellings, options)
  const newWords = await wordsBySpelling(client, newSpellings, options)
  known.remove(...newWords.words.map(({ wordId }) => wordId))
  missing.push(...newWords.missing)
  const note = `In known, these are neither levels nor words of the catalogue: ${missing.join(', ')}.`
  return { known, note: missing.length > 0 ? note : '' }
}

/** Returns the parameters of a list of clips for a learner, and the note. */
export async function learnerParameters(
  client: Operations,
  { known: items, maxUnknown }: { known?: string[] | undefined; maxUnknown?: number | undefined },
  options: CallOptions & { language?: string | undefined },
) {
  if (items === undefined) {
    if (maxUnknown === undefined) return { parameters: {}, note: '' }
    throw new RangeError('maxUnknown needs known: the level or the words that the learner knows')
  }
  const { known, note } = await readLearner(client, items, options)
  return { parameters: { known: await known.toParameter(), maxUnknown }, note }
}
