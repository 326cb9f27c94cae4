import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, posix, resolve } from 'node:path'
import { walkFolder } from '#kit/walk-folder.ts'
import { describesVideo, holdsTranscript, isObject } from './formats/detect-format.ts'
import { isMetadataName, sidecarNames } from './video/file-names.ts'
import { parseMetadata, type Metadata } from './video/metadata.ts'
import { describe, readUtf8 } from './read-bytes.ts'

/** A path that the user named: as typed, and resolved. */
interface NamedPath {
  typed: string
  absolute: string
}

/** A subtitle file to import. */
export interface FoundFile {
  absolute: string
  /** The folder that it was found in, by its real path: links are followed only inside it. */
  folder?: string
  /** As messages show it: what the user typed, and the rest of the path. */
  shown: string
  /**
   * It is in a folder, and its name is common for other files too (`notes.txt`): it is no fault if
   * it holds no subtitles.
   */
  unsure?: boolean
  /** Why it is not read: it is a link that leads out of its folder. */
  skip?: string
}

/** What the paths hold. */
interface FoundPaths {
  files: FoundFile[]
  /** What the JSON files say that describe videos: they are matched by video id. */
  metadata: Metadata[]
}

/**
 * What counts as a subtitle file inside a folder, including formats that are not supported, so that
 * these are rejected with a reason.
 */
const extensions =
  /\.(?:srt|vtt|json|sbv|sub|ass|ssa|ttml|dfxp|smi|stl|stc|rt|lrc|srv1|srv2|srv3|json3|tsv|txt|xml)$/i
/** Those of them that usually are something else. */
const manyKinds = /\.(?:txt|xml|tsv)$/i

/**
 * The subtitle files that the paths name, in that order: a file whatever its name, those of a
 * folder at any depth, sorted. A file that several paths or links reach is listed once; links are
 * followed only inside their folder. A path that leads nowhere is listed too: reading it reports
 * that.
 */
export async function findFiles(paths: readonly NamedPath[]): Promise<FoundPaths> {
  const found = new Map<string, FoundFile>()
  const metadata: Metadata[] = []
  for (const path of paths) {
    const { files, metadata: described } = await findAt(path)
    for (const file of files) if (!found.has(file.absolute)) found.set(file.absolute, file)
    for (const about of described) metadata.push(about)
  }
  return { files: [...found.values()], metadata }
}

async function findAt({ typed, absolute }: NamedPath): Promise<FoundPaths> {
  const isFolder = await stat(absolute).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isFolder) return { files: [{ absolute, shown: typed }], metadata: [] }
  const skipped = new Map<string, string>()
  const {
    files: names,
    outside,
    irregular,
  } = await walkFolder(absolute, {
    wanted: (name) => extensions.test(name),
    followOutside: false,
    onFault: (path, error) => skipped.set(path, describe(error)),
  })
  for (const link of outside) skipped.set(link, 'is a link to outside of the folder: name its target')
  for (const path of irregular) skipped.set(path, 'is not a regular file')
  const { wanted, metadata } = await partMetadata(absolute, names)
  const folder = await realpath(absolute)
  return {
    files: [...wanted, ...skipped.keys()].sort().map((name) => ({
      absolute: resolve(absolute, name),
      shown: join(typed, name),
      folder,
      ...(manyKinds.test(name) ? { unsure: true } : {}),
      ...(skipped.has(name) ? { skip: skipped.get(name)! } : {}),
    })),
    metadata,
  }
}

/**
 * Separates the JSON files that are metadata from the subtitles: those that are sidecars by their
 * names, and those with such content. Clips of a source corpus are neither.
 */
async function partMetadata(
  folder: string,
  names: readonly string[],
): Promise<{ wanted: string[]; metadata: Metadata[] }> {
  const wanted = names.filter((name) => !/\.json$/i.test(name))
  const sidecars = new Set(
    wanted.flatMap((name) => sidecarNames(basename(name)).map((other) => posix.join(dirname(name), other))),
  )
  const metadata: Metadata[] = []
  for (const name of names) {
    if (!/\.json$/i.test(name)) continue
    const json = await readJson(join(folder, name))
    if (isMetadataName(name) || (describesVideo(json) && !holdsTranscript(json)))
      metadata.push(tryParse(json))
    else if (holdsTranscript(json) || !(sidecars.has(name) || (isObject(json) && 'videoId' in json)))
      wanted.push(name)
  }
  return { wanted, metadata }
}

/** What a faulty description says is reported with the subtitle file that it is the sidecar of. */
function tryParse(json: unknown): Metadata {
  try {
    return parseMetadata(json)
  } catch {
    return {}
  }
}

/** The value of a JSON file; undefined if it cannot be read, which is reported where it matters. */
async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readUtf8(path))
  } catch {
    return undefined
  }
}
