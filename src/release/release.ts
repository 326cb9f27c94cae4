import type { Coverage } from '#contract/corpus.ts'
import { nameDigest, shortDigest } from '#kit/digest.ts'
import { readChangesOf, type PastRelease } from './changes.ts'
import { ClipTable } from './clips/reader.ts'
import { WordTable } from './words/reader.ts'
import { deltaOf, parseManifest, parsePointer, type Manifest, type Pointer } from './manifest.ts'
import { corpusPath, currentPath, releasePath, type DataFile, type TableFile } from './paths.ts'
import { openSegments, type Segments } from './sentences/reader.ts'
import { SpellingsTable } from './spellings/reader.ts'
import { rangesOf, type TableBytes } from './table-file.ts'
import { damagedFile, type Client, type Tree } from './tree.ts'

/**
 * An open release, which only offers look-ups. Its files are closed once it has no users left: the
 * caller that opened it and disposes of it, and each request that it answers.
 */
export interface Release extends Disposable {
  manifest: Manifest
  coverage: Coverage
  clips: ClipTable
  words: WordTable
  sentences: Segments
  spellings: SpellingsTable
  /** Returns the manifest of another release of the tree. @throws {TreeFault} */
  manifestOf(id: string): Promise<Manifest>
  /**
   * Returns the bytes of the `changes.json` of a release of the tree.
   *
   * @throws {MissingFile} it was pruned
   * @throws {TreeFault} it has another digest
   */
  changes(step: PastRelease): Promise<Buffer>
  /**
   * Reads a file under `data/`, for a client if there is one.
   *
   * @throws {TreeFault} the tree cannot provide the file, or has other bytes
   */
  read(file: DataFile, client?: Client): Promise<Buffer>
  /**
   * Like `read`, at once, into memory that the next call reuses. Undefined for a tree that is not
   * in a folder.
   *
   * @throws {TreeFault} as `read`
   */
  readTemporarily?: (file: DataFile) => Buffer
  /** Counts another user, until it calls `removeUser`. */
  addUser(): void
  removeUser(): void
}

/** Returns the id of the release in service. @throws {MissingFile} nothing was ever published */
export async function readCurrent(tree: Tree): Promise<string> {
  return (await readPointer(tree)).release
}

/**
 * Returns the pointer to the release in service. @throws {MissingFile} nothing was ever published
 */
export async function readPointer(tree: Tree): Promise<Pointer> {
  return parsePointer((await tree.read(currentPath)).toString(), currentPath)
}

/** Returns the manifest of a release. @throws {MissingFile | SyntaxError} */
export async function readManifest(tree: Tree, id: string): Promise<Manifest> {
  const path = releasePath(id, 'manifest.json')
  const manifest = parseManifest((await tree.read(path)).toString(), path)
  if (manifest.release !== id)
    throw new SyntaxError(`cannot open "${path}": it belongs to release ${manifest.release}`)
  return manifest
}

/**
 * Opens a release: reads its tables once, and builds nothing. Large texts stay on disk.
 *
 * @throws {MissingFile | SyntaxError} a file is missing or damaged
 */
export async function openRelease(tree: Tree, id: string): Promise<Release> {
  const manifest = await readManifest(tree, id)
  // The name of the coverage record contains the digest of its bytes.
  const isCoverage = (bytes: Uint8Array) => corpusPath(nameDigest(bytes)) === manifest.corpus
  const [coverageJson, sentences] = await Promise.all([
    tree.readChecked(manifest.corpus, isCoverage),
    openSegments(tree, manifest.sentences),
  ])
  const coverage = JSON.parse(coverageJson.toString()) as Coverage
  // Closes the files of the first tables if a later one does not open.
  using stack = new DisposableStack()
  const clips = await openTableOf(tree, manifest, 'clips.bin', ClipTable, stack)
  const words = await openTableOf(tree, manifest, 'words.bin', WordTable, stack)
  const spellings = await openTableOf(tree, manifest, 'spellings.bin', SpellingsTable, stack)
  const openFiles = stack.move()
  let userCount = 1
  const removeUser = () => {
    if (--userCount === 0) openFiles.dispose()
  }
  return {
    manifest,
    coverage,
    clips,
    words,
    sentences,
    spellings,
    manifestOf: (other) =>
      readManifest(tree, other).catch((error: Error) => {
        throw error instanceof SyntaxError ? damagedFile(releasePath(other, 'manifest.json')) : error
      }),
    changes: (step) => readChangesOf(tree, step),
    read: ({ path, digest }, client) =>
      tree.readChecked(path, (bytes) => shortDigest(bytes) === digest, client),
    ...(tree.readTemporarily && {
      readTemporarily: ({ path, digest }) =>
        tree.readTemporarily!(path, (bytes) => shortDigest(bytes) === digest),
    }),
    addUser: () => void userCount++,
    removeUser,
    [Symbol.dispose]: removeUser,
  }
}

interface TableClass<Table> {
  new (bytes: TableBytes, path: string): Table
  /** The columns of texts that may stay on disk. */
  readonly diskColumns: readonly string[]
}

/**
 * Opens one table. Large texts stay on disk if the caller closes the files in `openFiles`.
 *
 * @throws {MissingFile | SyntaxError} it is missing, has another version, or differs from the
 *   manifest
 */
export async function openTableOf<Table>(
  tree: Tree,
  manifest: Manifest,
  file: TableFile,
  TableClass: TableClass<Table>,
  openFiles?: DisposableStack,
): Promise<Table> {
  const path = releasePath(manifest.release, file)
  const expectedDigest = manifest.files[file]
  const diskRanges = openFiles && rangesOf(TableClass.diskColumns)
  const digestedFile = await tree.openDigested(path, expectedDigest, diskRanges, deltaOf(manifest, file))
  openFiles?.use(digestedFile)
  if (digestedFile.digest !== expectedDigest)
    throw new SyntaxError(`cannot open "${path}": it does not match the manifest`)
  return new TableClass(digestedFile, path)
}
