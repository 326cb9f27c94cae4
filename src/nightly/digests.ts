import { createHash } from 'node:crypto'
import { parse as parsePath } from 'node:path'
import { listClipFiles, stampOf } from '#corpus/clip-files.ts'
import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import { filesIn, type Catalogue } from '#corpus/read-catalogue.ts'
import { glosses } from '#contract/glosses.ts'
import { indexingVersion, spellingsVersion } from './index/version.ts'
import { formatVersion } from '#release/manifest.ts'
import { itemsVersion } from './render/word-clips.ts'
import type { State } from '#tree/state.ts'
import type { BuildOptions } from './build-options.ts'

/** Digests by which nights are compared: of the source, of a lexicon, and of a whole release. */

/** The version of the rules for a valid source, increased with each change. */
const readingVersion = 1

/**
 * The minimum age of a file whose stamp is reliable. A younger file may change again within one
 * tick of the clock, and so keep its stamp.
 */
const tickNs = 2_000_000_000n

/** The files of a source that have not been read. */
export type ListedSource = Awaited<ReturnType<typeof listSource>>

/**
 * Lists the clips of a source, and entries that are not regular files. Its fingerprint is a digest
 * of the sizes, times and inodes of all its files, of the rules and of the options: while it is the
 * same, so is the release. It is null if a file was changed very recently. `startedNs` is the start
 * of the build, by the clock of the file system.
 */
export async function listSource(options: BuildOptions, startedNs: bigint) {
  const { corpusFolder, analysers = true, strict, urls } = options
  const { files, irregular } = await listClipFiles(corpusFolder)
  const wordFiles = [await filesIn(corpusFolder, 'catalogue'), await filesIn(corpusFolder, 'forms')].flat()
  const words = wordFiles.map((file) => stampOf(corpusFolder, file))
  const rules = [readingVersion, formatVersion, itemsVersion, spellingsVersion, ...glosses, analysers, strict]
  const hash = createHash('sha256').update(JSON.stringify([...rules, urls, irregular]))
  for (const language of new Set(words.map(({ file }) => parsePath(file).name)))
    hash.update(`\0${language} ${indexingVersion(language)}`)
  let isSettled = true
  for (const { file, stamp, changedNs } of [...words, ...files]) {
    hash.update(`\0${file} ${stamp}`)
    if (changedNs + tickNs >= startedNs) isSettled = false
  }
  // Without stamps, which would stay in memory until the build ends.
  const toRead = files.map(({ file, sizeBytes }) => ({ file, sizeBytes }))
  return { files: toRead, irregular, fingerprint: isSettled ? hash.digest('hex') : null }
}

/**
 * Returns a digest of everything that indexing the clips of a language depends on: rules, analyser,
 * spellings and levels, but not meanings. Cached data of a clip is valid as long as the digest is
 * the same.
 */
export function lexiconDigest(language: string, catalogue: Catalogue, hasAnalysers: boolean): string {
  const rules = `${itemsVersion} ${hasAnalysers} ${indexingVersion(language)}`
  const hash = createHash('sha256').update(`lexicon ${rules}\0${language}`)
  for (const { wordId, word, level, forms } of byId(catalogue.get(language) ?? []))
    hash.update(`\0${JSON.stringify([wordId, word, level, forms])}`)
  return hash.digest('hex')
}

/**
 * Returns the SHA-256 (hex) of all that a release is built from. Its clips are those of the state.
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
