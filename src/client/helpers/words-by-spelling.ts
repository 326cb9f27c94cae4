import type { CallOptions } from '../call-options.ts'
import type { FoundWord, Gloss, Operations } from '../operations.ts'

const spellingsMax = 100
/** The longest list of spellings in a request, percent-encoded: a request line has 8 KiB. */
const spellingsMaxBytes = 6000

/** The words with the given spellings, and the spellings without a word. */
export interface WordsBySpelling {
  /** The words in the order of the spellings; each has its `spelling`. */
  words: FoundWord[]
  missing: string[]
}

/** Returns the words with these spellings, with one request for each 100. */
export async function wordsBySpelling(
  client: Pick<Operations, 'listWords'>,
  spellings: Iterable<string>,
  {
    language,
    gloss,
    ...options
  }: CallOptions & { language?: string | undefined; gloss?: Gloss | undefined } = {},
): Promise<WordsBySpelling> {
  const texts = [...new Set([...spellings].map((text) => text.normalize('NFC').trim()))].filter(Boolean)
  const missing = new Set(texts)
  const words: FoundWord[] = []
  // A comma separates spellings.
  const sendable = texts.filter((text) => !text.includes(',') && [...text].length <= 100)
  for (const batch of batches(sendable)) {
    const page = await client.listWords({ spellings: batch, language, gloss }, options)
    words.push(...page.words)
    for (const { spelling } of page.words) missing.delete(spelling!)
  }
  return { words, missing: [...missing] }
}

/** Divides spellings into lists that fit into a request. */
function* batches(spellings: readonly string[]): Generator<string[]> {
  let batch: string[] = []
  let sizeBytes = 0
  for (const spelling of spellings) {
    const bytes = encodeURIComponent(spelling).length + 3
    if (batch.length === spellingsMax || sizeBytes + bytes > spellingsMaxBytes) {
      yield batch
      batch = []
      sizeBytes = 0
    }
    batch.push(spelling)
    sizeBytes += bytes
  }
  if (batch.length > 0) yield batch
}
