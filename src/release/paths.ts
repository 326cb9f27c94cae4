/** The paths of the published tree, relative to its root (contract 3). */

export const currentPath = 'current.json'
/**
 * The folder that must never be published: the state of the build, its work in progress, the server
 * part of the site, and the audio of the sample clips.
 */
export const privateFolder = '.build'
export const statePath = `${privateFolder}/state.sqlite`
export const workPath = `${privateFolder}/work`
export const cachePath = `${privateFolder}/cache.sqlite`
export const reportPath = `${privateFolder}/report.json`
/** The audio of the sample clips, which `npm start` creates. */
export const sampleAudioFolder = `${privateFolder}/sample-audio`
export const cdnHeadersPath = '_headers'
export const indexJsonPath = 'index.json'

/** The file in a release's folder until the ledger contains the release. */
export const unfinishedMark = 'unfinished'

export function releasePath(release: string, file: ReleaseFile | typeof unfinishedMark): string {
  return `releases/${release}/${file}`
}

export const tableFiles = ['clips.bin', 'words.bin', 'spellings.bin'] as const
export type TableFile = (typeof tableFiles)[number]
export const releaseFiles = ['manifest.json', ...tableFiles, 'changes.json'] as const
/** The deltas of a release, each beside the table that it leads to. A release may have none. */
export const deltaFiles = ['clips.delta', 'words.delta', 'spellings.delta'] as const
export type ReleaseFile = (typeof releaseFiles)[number] | (typeof deltaFiles)[number]

/** A file under `data/`: its name, and the digest of its bytes, which is also its entity tag. */
export interface DataFile {
  path: string
  /** 96 bits of the SHA-256, base64url. */
  digest: string
}

/** The folder of the records of clips. */
export const recordFolder = 'data/clips/'

/** `revision` counts from 1. A new record has a new name: the bytes of a name never change. */
export function clipPath(clipId: string, revision: number): string {
  return `${recordFolder}${clipId}${revisionSuffix(revision)}.json`
}

export function transcriptPath(clipId: string, revision: number): string {
  return `data/transcripts/${clipId}${revisionSuffix(revision)}.json`
}

function revisionSuffix(revision: number): string {
  return revision > 1 ? `.${revision}` : ''
}

/** Returns the path of a page of a word's list. `digest` is that of its bytes: 64 bits, hex. */
export function wordClipsPath(language: string, wordId: number, digest: string): string {
  return `data/words/${language}/${wordId}.${digest}.json`
}

/** The names of each kind of file under `data/`. No others are read from an origin. */
export const dataForms = {
  clips: /^data\/(clip|transcript)s\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.(\d+))?\.json$/,
  words: /^data\/words\/[a-z]{2}\/\d+\.[0-9a-f]{16}\.json$/,
  index: /^data\/index\/[a-z]{2}\/(words|clips)\.[0-9a-f]{16}\.json$/,
  sentences: /^data\/sentences\/[a-z]{2}\/[0-9a-f]{16}(\.\d+)?\.bin$/,
  corpus: /^data\/corpus\.[0-9a-f]{16}\.json$/,
}

/** Parses the name of a record or of a transcript; null for another file. */
export function parseClipPath(path: string) {
  const [, kind, clipId, revision = 1] = dataForms.clips.exec(path) ?? []
  return clipId === undefined ? null : { kind, clipId, revision: Number(revision) }
}

export function corpusPath(digest: string): string {
  return `data/corpus.${digest}.json`
}

/** Returns the path of a file of the index, for readers of the files without the proxy. */
export function indexPath(language: string, kind: IndexKind, digest: string): string {
  return `data/index/${language}/${kind}.${digest}.json`
}
export type IndexKind = 'words' | 'clips'

/** Returns the path of a file of a segment: its head for part 0, otherwise a part, from 1. */
export function sentencesPath(language: string, name: string, part: number): string {
  return `data/sentences/${language}/${name}${part > 0 ? `.${part}` : ''}.bin`
}

/** Returns the number of a release in its tree, from its id. */
export function releaseNumber(release: string): number {
  return Number.parseInt(release, 10)
}

/** Returns the id of a release: its number in the tree and the beginning of its content digest. */
export function releaseId(number: number, contentDigest: string): string {
  return `${String(number).padStart(6, '0')}-${contentDigest.slice(0, 8)}`
}
