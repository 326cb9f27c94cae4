import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, posix, resolve } from 'node:path'
import { walkFolder } from '#kit/walk-folder.ts'
import { holdsTranscript } from './formats/parse-json.ts'
import { describe, readJson } from './read-bytes.ts'
import { isMetadataName, sidecarNames } from './video/file-names.ts'
import { describesVideo, isObject, parseMetadata, type Metadata } from './video/metadata.ts'

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
  skip?: string | undefined
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
 * The subtitle files that the paths name (each as typed, and resolved), in that order: a file
 * whatever its name, those of a folder at any depth, sorted. A file that several paths or links
 * reach is listed once; links are followed only inside their folder. A path that leads nowhere is
 * listed too: reading it reports that.
 */
export async function findFiles(paths: readonly { typed: string; absolute: string }[]): Promise<FoundPaths> {
  const found = new Map<string, FoundFile>()
  const metadata: Metadata[] = []
  for (const { typed, absolute } of paths) {
    const stats = await stat(absolute).catch(() => null)
    const inside = stats?.isDirectory() ? await findInside(absolute, typed) : null
    for (const file of inside?.files ?? [{ absolute, shown: typed }])
      found.set(file.absolute, found.get(file.absolute) ?? file)
    metadata.push(...(inside?.metadata ?? []))
  }
  return { files: [...found.values()], metadata }
}

async function findInside(absolute: string, typed: string): Promise<FoundPaths> {
  const skipped = new Map<string, string>()
  const found = await walkFolder(absolute, {
    wanted: (name) => extensions.test(name),
    followOutside: false,
    onFault: (path, error) => skipped.set(path, describe(error)),
  })
  for (const link of found.outside) skipped.set(link, 'is a link to outside of the folder: name its target')
  for (const path of found.irregular) skipped.set(path, 'is not a regular file')
  const { subtitles, metadata } = await partMetadata(absolute, found.files)
  const folder = await realpath(absolute)
  const files = [...subtitles, ...skipped.keys()].sort().map((name) => ({
    absolute: resolve(absolute, name),
    shown: join(typed, name),
    folder,
    unsure: manyKinds.test(name),
    skip: skipped.get(name),
  }))
  return { files, metadata }
}

/**
 * Separates the JSON files that are metadata from the subtitles: those that are sidecars by their
 * names, and those with such content. Clips of a source corpus are neither.
 */
async function partMetadata(folder: string, names: readonly string[]) {
  const [jsons, subtitles] = [true, false].map((is) => names.filter((name) => /\.json$/i.test(name) === is))
  const sidecars = new Set(
    subtitles!.flatMap((name) =>
      sidecarNames(basename(name)).map((other) => posix.join(dirname(name), other)),
    ),
  )
  const metadata: Metadata[] = []
  for (const name of jsons!) {
    // One that cannot be read is reported where it matters.
    const json = await readJson(join(folder, name)).catch(() => undefined)
    const isTranscript = holdsTranscript(json)
    if (isMetadataName(name) || (describesVideo(json) && !isTranscript)) metadata.push(tryParse(json))
    else if (isTranscript || !(sidecars.has(name) || (isObject(json) && 'videoId' in json)))
      subtitles!.push(name)
  }
  return { subtitles: subtitles!, metadata }
}

/** What a faulty description says is reported with the subtitle file that it is the sidecar of. */
function tryParse(json: unknown): Metadata {
  try {
    return parseMetadata(json)
  } catch {
    return {}
  }
}
