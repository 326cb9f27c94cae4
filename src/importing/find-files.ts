import { readFile, stat } from 'node:fs/promises'
import { join, posix, resolve } from 'node:path'
import glob from 'fast-glob'
import { isJsonName, isMetadataName, sidecarNames } from './file-names.ts'

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
}

/** What is taken for a subtitle file inside a folder. Formats that are not read are in it too, so that they are refused with a reason. */
const pattern = '**/*.{srt,vtt,json,sbv,sub,ass,ssa,ttml,dfxp,smi,stl,stc,rt,lrc,srv1,srv2,srv3,json3}'

/**
 * The subtitle files that the paths name, in that order: a file whatever its name, those of a folder at any depth, sorted. A file
 * that several paths reach comes once. A path that leads nowhere is among them: reading it tells.
 */
export async function findFiles(paths: readonly NamedPath[]): Promise<FoundFile[]> {
  const found = new Map<string, FoundFile>()
  for (const path of paths) {
    for (const file of await filesAt(path)) if (!found.has(file.absolute)) found.set(file.absolute, file)
  }
  return [...found.values()]
}

async function filesAt({ typed, absolute }: NamedPath): Promise<FoundFile[]> {
  const isFolder = await stat(absolute).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isFolder) return [{ absolute, shown: typed }]
  const names = await glob(pattern, {
    cwd: absolute,
    caseSensitiveMatch: false,
    ignore: ['**/node_modules/**'],
    suppressErrors: true,
  })
  const wanted = await withoutMetadata(absolute, names)
  return wanted.sort().map((name) => ({ absolute: resolve(absolute, name), shown: join(typed, name) }))
}

/** Leaves out the JSON files that are metadata: by their name, as a sidecar of a subtitle file beside them, or by what is in them. */
async function withoutMetadata(folder: string, names: readonly string[]): Promise<string[]> {
  const others = names.filter((name) => !isJsonName(name))
  const sidecars = new Set(
    others.flatMap((name) =>
      sidecarNames(posix.basename(name)).map((sidecar) => posix.join(posix.dirname(name), sidecar)),
    ),
  )
  const wanted = [...others]
  for (const name of names) {
    if (!isJsonName(name) || isMetadataName(name)) continue
    const kind = await jsonKind(join(folder, name))
    if (kind === 'metadata' || (kind !== 'array' && sidecars.has(name))) continue
    wanted.push(name)
  }
  return wanted
}

/** What a JSON file is, as far as it matters here: an array (word timings, perhaps), an object that describes a video, or something else. */
async function jsonKind(path: string): Promise<'array' | 'metadata' | 'other'> {
  try {
    const json: unknown = JSON.parse((await readFile(path, 'utf8')).replace(/^\ufeff/, ''))
    if (Array.isArray(json)) return 'array'
    const describes =
      typeof json === 'object' &&
      json !== null &&
      ('videoId' in json || ('title' in json && 'channel' in json))
    return describes ? 'metadata' : 'other'
  } catch {
    return 'other'
  }
}
