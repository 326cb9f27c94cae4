import { stat } from 'node:fs/promises'
import { basename, dirname, join, posix, resolve } from 'node:path'
import { walkFolder } from '#kit/walk-folder.ts'
import { decodeUtf8 } from './formats/decode-text.ts'
import { describesVideo, holdsTranscript, isObject } from './formats/detect-json.ts'
import { isJsonName, isMetadataName, sidecarNames } from './video/file-names.ts'
import { describe, readBytes } from './read-bytes.ts'

/** A path that the user named: what was typed, and where that is. */
export interface NamedPath {
  typed: string
  absolute: string
}

/** A subtitle file to import. */
export interface FoundFile {
  absolute: string
  /** As messages show it: what the user typed, and the way from there. */
  shown: string
  /**
   * It lies in a folder under a name that many other files have too, `notes.txt`: nothing is wrong
   * when it holds no subtitles.
   */
  unsure?: boolean
  /** Why it is not read: a link that leads out of its folder. */
  skip?: string
}

/** What the paths hold. */
export interface Found {
  files: FoundFile[]
  /**
   * Paths of JSON files that describe videos and are no sidecar by their name: they are found by
   * video id.
   */
  metadata: string[]
}

/**
 * What is taken for a subtitle file inside a folder. Formats that are not read are in it too, so
 * that they are refused with a reason.
 */
const extensions =
  /\.(?:srt|vtt|json|sbv|sub|ass|ssa|ttml|dfxp|smi|stl|stc|rt|lrc|srv1|srv2|srv3|json3|tsv|txt|xml)$/i
/** Of these, what usually is something else. */
const manyKinds = /\.(?:txt|xml|tsv)$/i

/**
 * The subtitle files that the paths name, in that order: a file whatever its name, those of a
 * folder at any depth, sorted. A file that several paths or links reach comes once; links are
 * followed only inside their folder. A path that leads nowhere is among them: reading it tells.
 */
export async function findFiles(paths: readonly NamedPath[]): Promise<Found> {
  const found = new Map<string, FoundFile>()
  const metadata = new Set<string>()
  for (const path of paths) {
    const { files, metadata: described } = await findAt(path)
    for (const file of files) if (!found.has(file.absolute)) found.set(file.absolute, file)
    for (const file of described) metadata.add(file)
  }
  return { files: [...found.values()], metadata: [...metadata] }
}

async function findAt({ typed, absolute }: NamedPath): Promise<Found> {
  const isFolder = await stat(absolute).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isFolder) return { files: [{ absolute, shown: typed }], metadata: [] }
  const skipped = new Map<string, string>()
  const { files: names, outside } = await walkFolder(absolute, {
    wanted: (name) => extensions.test(name),
    followOutside: false,
    onFault: (path, error) => skipped.set(path, describe(error)),
  })
  for (const link of outside) skipped.set(link, 'is a link to outside of the folder: name its target')
  const { wanted, metadata } = await partMetadata(absolute, names)
  return {
    files: [...wanted, ...skipped.keys()].sort().map((name) => ({
      absolute: resolve(absolute, name),
      shown: join(typed, name),
      ...(manyKinds.test(name) ? { unsure: true } : {}),
      ...(skipped.has(name) ? { skip: skipped.get(name)! } : {}),
    })),
    metadata: metadata.sort().map((name) => resolve(absolute, name)),
  }
}

/**
 * Parts the JSON files that are metadata, by their name, as a sidecar of a subtitle file beside
 * them, or by what is in them, from the subtitles. Clips of a source corpus are neither.
 */
async function partMetadata(
  folder: string,
  names: readonly string[],
): Promise<{ wanted: string[]; metadata: string[] }> {
  const others = names.filter((name) => !isJsonName(name))
  const sidecars = new Set(others.flatMap((name) => sidecarNames(basename(name)).map(beside(name))))
  const wanted = [...others]
  const metadata: string[] = []
  for (const name of names) {
    if (!isJsonName(name)) continue
    const kind = await jsonKind(join(folder, name))
    if (kind === 'metadata' || isMetadataName(name)) metadata.push(name)
    else if (kind === 'transcript' || (kind === 'other' && !sidecars.has(name))) wanted.push(name)
  }
  return { wanted, metadata }
}

function beside(name: string): (other: string) => string {
  return (other) => posix.join(dirname(name), other)
}

/** What a JSON file is, as far as it matters here. */
async function jsonKind(path: string): Promise<'transcript' | 'metadata' | 'clip' | 'other'> {
  try {
    const json: unknown = JSON.parse(decodeUtf8(await readBytes(path)) ?? '')
    if (holdsTranscript(json)) return 'transcript'
    if (describesVideo(json)) return 'metadata'
    return isObject(json) && 'videoId' in json ? 'clip' : 'other'
  } catch {
    return 'other'
  }
}
