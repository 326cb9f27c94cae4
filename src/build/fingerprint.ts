import { createHash } from 'node:crypto'
import { join, parse as parsePath } from 'node:path'
import { listClipFiles, stampOf, type ClipFile } from '#corpus/clip-files.ts'
import { glosses } from '#contract/glosses.ts'
import { indexingVersion, spellingsVersion } from '#indexing/version.ts'
import { namesIn } from '#kit/not-found.ts'
import { formatVersion } from '#release/manifest.ts'
import { itemsVersion } from '#rendering/word-clips.ts'
import type { BuildOptions } from './build-options.ts'

/** Raised when the rules by which the source is valid change. */
const readingVersion = 1

/**
 * A file that changed less than this before the source was listed may change again within one tick
 * of the clock, which its stamp does not show.
 */
const tickNs = 2_000_000_000n

/** The files of a source, without having read them. */
export interface ListedSource {
  files: ClipFile[]
  /** What of `clips/` is no regular file. */
  irregular: string[]
  /**
   * A digest of the sizes, times and inodes of all files of the source, of the rules and of the
   * options: while it is the same, so is the release. null if a file has just been changed.
   */
  fingerprint: string | null
}

/** Lists the source. `startedNs` is when the build began, by the clock of the file system. */
export async function listSource(options: BuildOptions, startedNs: bigint): Promise<ListedSource> {
  const { corpusFolder, analysers = true, strict, urls } = options
  const { files, irregular } = await listClipFiles(corpusFolder)
  const words = await wordFiles(corpusFolder)
  const rules = [readingVersion, formatVersion, itemsVersion, spellingsVersion, ...glosses, analysers, strict]
  const hash = createHash('sha256').update(JSON.stringify([...rules, urls, irregular]))
  for (const language of new Set(words.map(({ file }) => parsePath(file).name)))
    hash.update(`\0${language} ${indexingVersion(language)}`)
  let isSettled = true
  for (const { file, stamp, changedNs } of [...words, ...files]) {
    hash.update(`\0${file} ${stamp}`)
    if (changedNs + tickNs >= startedNs) isSettled = false
  }
  return { files, irregular, fingerprint: isSettled ? hash.digest('hex') : null }
}

/** The files of the catalogue and of forms. */
async function wordFiles(corpusFolder: string): Promise<ClipFile[]> {
  const found = ['catalogue', 'forms'].map(async (folder) =>
    (await namesIn(join(corpusFolder, folder)))
      .sort()
      .map((name) => stampOf(corpusFolder, `${folder}/${name}`)),
  )
  return (await Promise.all(found)).flat()
}
