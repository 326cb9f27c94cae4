import { createHash, type Hash } from 'node:crypto'
import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import type { Catalogue } from '#corpus/read-catalogue.ts'
import { indexingVersion, spellingsVersion } from '#indexing/version.ts'
import { formatVersion } from '#release/manifest.ts'
import type { State } from '#tree/state.ts'

/** By language, a digest of what its clips are indexed by: spellings and levels, not meanings. */
export function lexiconDigests(catalogue: Catalogue): Record<string, string> {
  return Object.fromEntries(
    [...catalogue.keys()].sort().map((language) => {
      const hash = createHash('sha256').update(`lexicon ${indexingVersion(language)}\0${language}`)
      for (const { wordId, word, level, forms } of byId(catalogue.get(language)!))
        hash.update(`\0${JSON.stringify([wordId, word, level, forms])}`)
      return [language, hash.digest('hex')]
    }),
  )
}

/**
 * A digest of all that a release is built from, and so of all that it says: SHA-256 (hex). The
 * clips are those that the state has in the release; `rest` are further texts.
 */
export function contentDigest(catalogue: Catalogue, state: State, rest: readonly string[]): string {
  const hash = createHash('sha256').update(`release ${formatVersion} ${spellingsVersion}`)
  for (const text of rest) hash.update(`\0${text}`)
  for (const language of [...catalogue.keys()].sort())
    hash.update(`\0${language} ${indexingVersion(language)}`)
  for (const language of [...catalogue.keys()].sort()) updateWords(hash, language, catalogue.get(language)!)
  const clips = state.rows<{ line: string }>(
    `SELECT clipId || ' ' || revision || ' ' || ordinal || ' ' || sourceDigest || ' ' || recordDigest || ' ' || transcriptDigest AS line
      FROM clips WHERE NOT withdrawn ORDER BY language, ordinal`,
  )
  for (const { line } of clips) hash.update(`\0${line}`)
  return hash.digest('hex')
}

function updateWords(hash: Hash, language: string, words: readonly CatalogueWord[]): void {
  hash.update(`\0${language}`)
  for (const { wordId, word, level, meanings, forms } of byId(words))
    hash.update(`\0${JSON.stringify([wordId, word, level, meanings, forms])}`)
}

function byId(words: readonly CatalogueWord[]): CatalogueWord[] {
  return words.toSorted((a, b) => a.wordId - b.wordId)
}
