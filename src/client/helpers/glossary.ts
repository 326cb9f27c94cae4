import type { CallOptions } from '../call-options.ts'
import type { FoundWord, Gloss, Operations, Transcript } from '../operations.ts'

/** The largest number of ids in a request. */
const idsMax = 100

/**
 * Returns the words of a transcript, keyed by word id. Every 100 different words cost one request,
 * and so one look-up.
 */
export async function glossary(
  client: Pick<Operations, 'listWords'>,
  transcript: Transcript,
  { gloss, ...options }: CallOptions & { gloss?: Gloss | undefined } = {},
): Promise<Map<number, FoundWord>> {
  const tokens = transcript.cues.flatMap((cue) => cue.words)
  const ids = [...new Set(tokens.flatMap(({ wordIds = [] }) => wordIds))]
  const words = new Map<number, FoundWord>()
  for (let i = 0; i < ids.length; i += idsMax) {
    const page = await client.listWords({ ids: ids.slice(i, i + idsMax), gloss }, options)
    for (const word of page.words) words.set(word.wordId, word)
  }
  return words
}
