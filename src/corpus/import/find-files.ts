import { existsSync } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { isInside, walkFolder } from '#kit/walk-folder.ts'
import { holdsTranscript } from './formats/parse-json.ts'
import { describe, readJson } from './read-bytes.ts'
import { Rejection } from './rejection.ts'
import { isMetadataName, sidecarsOf } from './video/file-names.ts'
import { describesVideo, isObject, parseMetadata, type Metadata } from './video/metadata.ts'

export interface FoundFile {
  absolute: string
  /** The folder that contains it, by its real path. Links are followed only inside it. */
  folder?: string
  /** The path in messages: what the user typed, and the rest of the path. */
  shownPath: string
  /**
   * Whether the file was found in a folder and its name is one that other kinds of file also have,
   * such as `notes.txt`. Such a file is skipped if it contains no subtitles.
   */
  unsure?: boolean
  /** The reason for not reading it: it is a link that leads out of its folder. */
  skip?: string | undefined
}

/** The extensions of subtitle files in a folder. Unsupported ones are rejected with a reason. */
const extensions =
  /\.(?:srt|vtt|json|sbv|sub|ass|ssa|ttml|dfxp|itt|smi|sami|scc|stl|stc|rt|lrc|srv[123]|ytt|json3|tsv|txt|xml)$/i

/** Whether a file contains subtitles, by its name and, for JSON, by its content. */
export async function isSubtitleFile(path: string): Promise<boolean> {
  if (!extensions.test(path) || isMetadataName(path)) return false
  return !/\.json$/i.test(path) || holdsTranscript(await readJson(path).catch(() => undefined))
}

/** The extensions among them that are usually used for something else. */
const manyKinds = /\.(?:txt|xml|tsv)$/i

/**
 * Finds the subtitle files that the paths name (each as typed, and resolved), in that order: a
 * single file with any name, and the files of a folder at any depth, sorted. A file that several
 * paths or links reach is listed once; links are followed only inside their folder. A path that
 * does not exist is also listed, because reading it reports the fault. Also returns the
 * descriptions of videos in JSON files of the folders, which are matched by their ids.
 */
export async function findFiles(paths: readonly { argument: string; absolute: string }[]) {
  const filesByPath = new Map<string, FoundFile>()
  const metadata: Metadata[] = []
  for (const { argument, absolute } of paths) {
    const stats = await stat(absolute).catch(() => null)
    const inside = stats?.isDirectory() && (await findInside(absolute, argument, metadata))
    const files = inside || [{ absolute, shownPath: argument }]
    for (const file of files) filesByPath.set(file.absolute, filesByPath.get(file.absolute) ?? file)
  }
  return { files: [...filesByPath.values()], metadata }
}

/** Finds the subtitle files in a folder. Adds the descriptions in JSON files to `metadata`. */
async function findInside(absolute: string, argument: string, metadata: Metadata[]): Promise<FoundFile[]> {
  const reasons = new Map<string, string>()
  const names = await walkFolder(absolute, {
    accepts: (name) => extensions.test(name),
    followOutside: false,
    onFault: (path, error) => reasons.set(path, describe(error)),
  })
  for (const link of names.outside)
    reasons.set(link, 'is a link to a place outside the folder. Name the target of the link instead')
  for (const path of names.irregular) reasons.set(path, 'is not a regular file')
  const subtitles = await partMetadata(absolute, names.files, metadata)
  const folder = await realpath(absolute)
  return [...subtitles, ...reasons.keys()].sort().map((name) => ({
    absolute: resolve(absolute, name),
    shownPath: join(argument, name),
    folder,
    unsure: manyKinds.test(name),
    skip: reasons.get(name),
  }))
}

/**
 * Separates JSON files with metadata from subtitles, by their names as sidecars or by their
 * content. Clips of a source corpus are neither.
 */
async function partMetadata(folder: string, names: readonly string[], metadata: Metadata[]) {
  const { subtitles = [], jsons = [] } = Object.groupBy(names, (name) =>
    /\.json$/i.test(name) ? 'jsons' : 'subtitles',
  )
  const sidecars = new Set(subtitles.flatMap(sidecarsOf))
  for (const name of jsons) {
    // A file that cannot be read or parsed is reported with the subtitle file that it belongs to.
    const json = await readJson(join(folder, name)).catch(() => undefined)
    const isTranscript = holdsTranscript(json)
    if (isMetadataName(name) || (describesVideo(json) && !isTranscript))
      metadata.push(await Promise.try(parseMetadata, json).catch(() => ({})))
    else if (isTranscript || !(sidecars.has(name) || (isObject(json) && 'videoId' in json)))
      subtitles.push(name)
  }
  return subtitles
}

/**
 * Returns the metadata in the sidecars beside a subtitle file, best first. Word timings and
 * transcripts with the name of a sidecar do not count.
 *
 * @param folder the real path of the folder that links must not lead out of, if there is one
 * @throws {Rejection} a sidecar cannot be read
 */
export async function readSidecars(path: string, folder?: string): Promise<Metadata[]> {
  const metadata: Metadata[] = []
  for (const sidecar of sidecarsOf(path)) {
    if (!(await isTaken(sidecar, folder))) continue
    try {
      const json = await readJson(sidecar)
      // Both `a.srt` and `a.json` may contain the subtitles.
      if (isMetadataName(sidecar) || !holdsTranscript(json)) metadata.push(parseMetadata(json))
    } catch (error) {
      throw new Rejection(`has a sidecar ${basename(sidecar)} that ${(error as Error).message}`)
    }
  }
  return metadata
}

async function isTaken(path: string, folder: string | undefined): Promise<boolean> {
  // Most sidecars do not exist, and creating an error for that takes longer than parsing a file.
  if (!existsSync(path)) return false
  try {
    const real = await realpath(path)
    return (await stat(real)).isFile() && (folder === undefined || isInside(real, folder))
  } catch {
    return false
  }
}
