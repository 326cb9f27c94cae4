import { filesOf, parseCurrent, parseManifest, type Manifest } from '#release/manifest.ts'
import { namedFiles, openNamingTables } from '#release/named-files.ts'
import {
  cdnHeadersPath,
  currentPath,
  deltaFiles,
  indexJsonPath,
  releaseFiles,
  releasePath,
} from '#release/paths.ts'
import { readManifest } from '#release/release.ts'
import { hasManifest, readReleaseFolders } from '#release/release-ids.ts'
import type { Changes } from '#release/changes.ts'
import { mediaType } from '#release/media-types.ts'
import { segmentPaths } from '#release/sentences/layout.ts'
import { parseSiteFiles, siteFilesPath, sitePath } from '#release/site-files.ts'
import { FolderTree, MissingFile, nullIfMissing, type Tree } from '#release/tree.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Refused } from '../refused.ts'
import type { FileHeaders, PublishTarget } from './target.ts'

export interface PublishOptions {
  outFolder: string
  target: PublishTarget
  /** Whether to delete at the target what `prune` deleted here. */
  isDeleting: boolean
  /** Whether to compare all files, not only those that are new since the release there. */
  isRepairing?: boolean
  /** Whether to replace a target with another tree instead of refusing it. */
  isReplacingTree?: boolean
  onProgress?: (doneCount: number, of: number) => void
}

export interface PublishResult {
  release: string
  /** The previous release of the target; null if it had none. */
  before: string | null
  written: number
  /** The number of files that existed already, from an interrupted run. */
  present: number
  deleted: number
}

const atATime = 16

/**
 * Brings a target up to the release in service: first files that never change, then the site, and
 * `index.json` and `current.json` last, so that everything that the pointer names exists. If it is
 * killed or the power fails at any moment, the release in service there is whole, and the next run
 * completes the new one.
 *
 * @throws {Refused} nothing is published, a release is being put in service now, the target has
 *   another tree, or another process publishes there
 */
export async function publish(options: PublishOptions): Promise<PublishResult> {
  const { outFolder, isDeleting, isRepairing = false, isReplacingTree = false } = options
  await using target = options.target
  const tree = new FolderTree(outFolder)
  const [current, index] = [await tree.read(currentPath), await tree.read(indexJsonPath)]
  const release = parseCurrent(current.toString(), currentPath)
  if ((JSON.parse(index.toString()) as { release?: string }).release !== release)
    throw new Refused(
      `"${outFolder}" is being changed: ${indexJsonPath} and ${currentPath} name different releases. Publish again when no build or rollback is running`,
    )
  const manifest = await readManifest(tree, release)
  const before = await releaseAt(target, isRepairing)
  const treeThere = before && (await treeAt(target, before))
  const isSameTree = before !== null && treeThere === manifest.tree && hasMade(outFolder, manifest, before)
  if (before !== null && !isSameTree && !isReplacingTree && (treeThere !== null || !isRepairing))
    throw otherTree(options, before)
  await target.begin()
  const writer = new Writer(tree, options)
  const isWhole = isRepairing || !isSameTree
  if (isWhole || before !== release) {
    const there = isWhole ? new Set<string>() : await filesThere(tree, before!)
    const referencedFiles = namedFiles(await openNamingTables(tree, release))
    const data = referencedFiles.filter((path) => !there.has(path)).toArray()
    const filesOfRelease = filesOf(manifest).map((file) => releasePath(release, file))
    // Before anything is written, because a refused run would otherwise leave files that take names
    // from the right tree.
    if (before !== null && !isSameTree) await writer.checkNames(data)
    await writer.writeMissing([
      ...data,
      ...filesOfRelease,
      ...changesSince(isWhole ? null : before, manifest, outFolder),
    ])
  }
  const { present } = writer
  await writer.writeSite()
  await target.sync()
  await writer.writeChanged(cdnHeadersPath, await tree.read(cdnHeadersPath))
  await writer.writeChanged(indexJsonPath, index)
  await writer.writeChanged(currentPath, current)
  // Its modification time tells when the tree was last published.
  if (before === release) await target.write(currentPath, current, fileHeaders(currentPath))
  const deletedCount = isDeleting ? await deletePruned(outFolder, tree, target) : 0
  return { release, before, written: writer.written, present, deleted: deletedCount }
}

/**
 * Returns the files under `data/` that the target has, because its release names them; none if that
 * release cannot be opened here, for example after a prune. Then every file is compared.
 */
async function filesThere(tree: Tree, release: string): Promise<Set<string>> {
  try {
    return new Set(namedFiles(await openNamingTables(tree, release)))
  } catch (error) {
    if (error instanceof MissingFile || error instanceof SyntaxError) return new Set()
    throw error
  }
}

/** Returns the release that a target has in service; null if nothing was published there. */
async function releaseAt(target: PublishTarget, isRepairing: boolean): Promise<string | null> {
  const there = await target.read(currentPath)
  try {
    return there && parseCurrent(Buffer.from(there).toString(), currentPath)
  } catch (error) {
    if (isRepairing) return null
    throw new Refused(
      `${target.location} has a ${currentPath} that does not belong to a tree. Add --repair to overwrite it`,
      { cause: error },
    )
  }
}

/** Returns the tree id of a release at a target; null if its manifest is missing or damaged. */
async function treeAt(target: PublishTarget, release: string): Promise<string | null> {
  const manifest = await target.read(releasePath(release, 'manifest.json'))
  try {
    // In any format version.
    return manifest && (JSON.parse(Buffer.from(manifest).toString()) as { tree?: string }).tree!
  } catch {
    return null
  }
}

/** Whether this tree made a release. One restored from a backup lacks later releases. */
function hasMade(outFolder: string, { release, history }: Manifest, other: string): boolean {
  const isInHistory = other === release || history.some((past) => past.release === other)
  // After a rollback, the target may have a later release.
  return isInHistory || hasManifest(outFolder, other)
}

function otherTree({ target, outFolder }: PublishOptions, release: string): Refused {
  return new Refused(
    `nothing was published, because ${target.location} has release ${release}, which was not built from the tree in "${outFolder}". If this tree was restored from an older backup, restore a newer one, or add --replace-tree to replace the tree at the target`,
  )
}

/** The bytes of a name under `data/` must never change: caches keep them for a year. */
function takenName({ target }: PublishOptions, path: string): Refused {
  return new Refused(
    `the release was not put in service, because ${target.location} has a "${path}" with different content, and a published file never changes. Publish this tree to an empty target, restore the tree that was last published here or, if the file there is damaged, write it again with --repair`,
  )
}

/** Returns the `changes.json` that a target may lack after `before`. Some may be pruned here. */
function changesSince(before: string | null, { history }: Manifest, outFolder: string): string[] {
  return history
    .slice(history.findIndex(({ release }) => release === before) + 1)
    .map(({ release }) => releasePath(release, 'changes.json'))
    .filter((path) => existsSync(join(outFolder, path)))
}

class Writer {
  written = 0
  present = 0
  readonly #tree: Tree
  readonly #options: PublishOptions

  constructor(tree: Tree, options: PublishOptions) {
    this.#tree = tree
    this.#options = options
  }

  /** Writes a file unless the target has the same bytes. */
  async writeChanged(path: string, bytes: Uint8Array): Promise<void> {
    const there = await this.#options.target.read(path)
    if (!there || !Buffer.from(there).equals(bytes)) await this.#write(path, bytes)
  }

  /** Writes the files that differ from those at the target. */
  async writeMissing(paths: readonly string[]): Promise<void> {
    let doneCount = 0
    const write = async (path: string) => {
      const bytes = await this.#tree.read(path)
      if (await this.#isThere(path, bytes)) this.present++
      else await this.#write(path, bytes)
      this.#options.onProgress?.(++doneCount, paths.length)
    }
    await Readable.from(paths).forEach(write, { concurrency: atATime })
  }

  /** @throws {Refused} the target has other bytes under one of the names */
  async checkNames(paths: readonly string[]): Promise<void> {
    const check = async (path: string) => void (await this.#isThere(path, await this.#tree.read(path)))
    await Readable.from(paths).forEach(check, { concurrency: atATime })
  }

  /**
   * Whether the target has a file.
   *
   * @throws {Refused} it has other bytes under a name that never changes
   */
  async #isThere(path: string, bytes: Uint8Array): Promise<boolean> {
    const { target, isRepairing } = this.#options
    const comparison = await target.compare(path, bytes)
    if (comparison === 'other' && path.startsWith('data/') && !isRepairing)
      throw takenName(this.#options, path)
    return comparison === 'same'
  }

  /** Writes the files of the site that differ from those at the target, and their list last. */
  async writeSite(): Promise<void> {
    const list = await nullIfMissing(this.#tree.read(siteFilesPath))
    if (!list) return
    const { files } = parseSiteFiles(list.toString())
    await this.writeMissing(Object.keys(files).map((name) => `${sitePath}/${name}`))
    await this.writeChanged(siteFilesPath, list)
  }

  async #write(path: string, bytes: Uint8Array): Promise<void> {
    await this.#options.target.write(path, bytes, fileHeaders(path))
    this.written++
  }
}

const immutable = 'public, max-age=31536000, immutable'

function fileHeaders(path: string): FileHeaders {
  const mutable = path.includes('/') ? 'no-cache' : 'public, max-age=60'
  const isImmutable = /^(data|releases|site\/_astro)\//.test(path)
  return { contentType: mediaType(path), cacheControl: isImmutable ? immutable : mutable }
}

/**
 * Deletes at the target what a prune deleted here: files that a release no longer needs and that do
 * not exist here, and releases of which only the changes are left.
 */
async function deletePruned(outFolder: string, tree: Tree, target: PublishTarget): Promise<number> {
  const prunedFiles = new Set<string>()
  const addGone = (paths: readonly string[]) => {
    for (const path of paths) if (!existsSync(join(outFolder, path))) prunedFiles.add(path)
  }
  const releases = await readReleaseFolders(outFolder)
  const prunedReleases = releases.filter((id) => !hasManifest(outFolder, id))
  for (const id of releases) addGone(await removedBy(tree, id))
  for (const id of prunedReleases) addGone(await segmentsAt(target, id))
  // Last, because without its manifest, the segments of a release are unknown.
  for (const id of prunedReleases)
    addGone([...releaseFiles, ...deltaFiles].map((file) => releasePath(id, file)))
  await target.delete([...prunedFiles])
  return prunedFiles.size
}

/** Returns the files that a release no longer names; none if its changes cannot be read. */
async function removedBy(tree: Tree, release: string): Promise<string[]> {
  try {
    const changes = await tree.read(releasePath(release, 'changes.json'))
    return (JSON.parse(changes.toString()) as Changes).files.removed
  } catch {
    return []
  }
}

/** Returns the segments of a release by its manifest at the target; none if that is missing. */
async function segmentsAt(target: PublishTarget, release: string): Promise<string[]> {
  const path = releasePath(release, 'manifest.json')
  const manifest = await target.read(path)
  try {
    if (!manifest) return []
    return parseManifest(Buffer.from(manifest).toString(), path).sentences.flatMap(segmentPaths)
  } catch {
    // A release of another format.
    return []
  }
}
