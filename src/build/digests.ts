import { createHash } from 'node:crypto'
import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import type { Catalogue } from '#corpus/read-catalogue.ts'
import { glosses } from '#contract/glosses.ts'
import { indexingVersion, spellingsVersion } from '#indexing/version.ts'
import { formatVersion } from '#release/manifest.ts'
import { itemsVersion } from '#rendering/word-clips.ts'
import type { State } from '#tree/state.ts'

/**
 * A digest of all that the clips of a language are indexed by: rules, analyser, spellings and
 * levels, not meanings. What is cached of a clip holds while it stays the same.
 */
export function lexiconDigest(language: string, catalogue: Catalogue, hasAnalysers: boolean): string {
  const rules = `${itemsVersion} ${hasAnalysers} ${indexingVersion(language)}`
  const hash = createHash('sha256').update(`lexicon ${rules}\0${language}`)
  for (const { wordId, word, level, forms } of byId(catalogue.get(language) ?? []))
    hash.update(`\0${JSON.stringify([wordId, word, level, forms])}`)
  return hash.digest('hex')
}

/**
 * A digest of all that a release is built from, and so of all that it says: SHA-256 (hex). The
 * clips are those that the state has in the release.
 */
export function contentDigest(catalogue: Catalogue, state: State): string {
  const versions = `${formatVersion} ${itemsVersion} ${spellingsVersion} ${glosses.join(' ')}`
  const hash = createHash('sha256').update(`release ${versions}`)
  for (const language of [...catalogue.keys()].sort()) {
    hash.update(`\0${language} ${indexingVersion(language)}`)
    for (const word of byId(catalogue.get(language)!)) hash.update(`\0${JSON.stringify(word)}`)
  }
  hash.update(`\0${JSON.stringify(state.head.ordinals)}`)
  for (const { clipId, revision, ordinal, sourceDigest, recordDigest, transcriptDigest } of state.live())
    hash.update(`\0${[clipId, revision, ordinal, sourceDigest, recordDigest, transcriptDigest].join(' ')}`)
  return hash.digest('hex')
}

function byId(words: readonly CatalogueWord[]): CatalogueWord[] {
  return words.toSorted((a, b) => a.wordId - b.wordId)
}
