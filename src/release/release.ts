import type { Coverage } from '#contract/corpus.ts'
import { nameDigest, shortDigest } from '#kit/digest.ts'
import { readChangesOf, type PastRelease } from './changes.ts'
import { ClipTable } from './clips/reader.ts'
import { WordTable } from './words/reader.ts'
import { parseManifest, parsePointer, type Manifest, type Pointer } from './manifest.ts'
import { corpusPath, currentPath, releasePath, type DataFile } from './paths.ts'
import { openSegments, type Segments } from './sentences/reader.ts'
import { SpellingsTable } from './spellings/reader.ts'
import { damagedFile, type Client, type Tree } from './tree.ts'

/** An opened release: look-ups only. */
export interface Release {
  manifest: Manifest
  coverage: Coverage
  clips: ClipTable
  words: WordTable
  sentences: Segments
  spellings: SpellingsTable
  /** The manifest of another release of the tree. @throws {TreeFault} */
  manifestOf(id: string): Promise<Manifest>
  /**
   * The bytes of the `changes.json` of a release of the tree.
   *
   * @throws {MissingFile} it was pruned
   * @throws {TreeFault} it has another digest
   */
  changes(step: PastRelease): Promise<Buffer>
  /**
   * Reads a file under `data/`, for a client if there is one.
   *
   * @throws {TreeFault} the tree does not give it, or gives other bytes
   */
  read(file: DataFile, client?: Client): Promise<Buffer>
}

/** The id of the release in service. @throws {MissingFile} when nothing was ever published */
export async function readCurrent(tree: Tree): Promise<string> {
  return (await readPointer(tree)).release
}

/** The pointer to the release in service. @throws {MissingFile} when nothing was ever published */
export async function readPointer(tree: Tree): Promise<Pointer> {
  return parsePointer((await tree.read(currentPath)).toString(), currentPath)
}

/** The manifest of a release. @throws {MissingFile | SyntaxError} */
export async function readManifest(tree: Tree, id: string): Promise<Manifest> {
  const path = releasePath(id, 'manifest.json')
  const manifest = parseManifest((await tree.read(path)).toString(), path)
  if (manifest.release !== id)
    throw new SyntaxError(`cannot open "${path}": it belongs to release ${manifest.release}`)
  return manifest
}

/**
 * Opens a release: reads its tables once, and builds nothing.
 *
 * @throws {MissingFile | SyntaxError} a file is missing or damaged
 */
export async function openRelease(tree: Tree, id: string): Promise<Release> {
  const manifest = await readManifest(tree, id)
  // The name of the coverage record has the digest of its bytes.
  const isCoverage = (bytes: Uint8Array) => corpusPath(nameDigest(bytes)) === manifest.corpus
  const [coverage, clips, words, spellings, sentences] = await Promise.all([
    tree.readChecked(manifest.corpus, isCoverage),
    openTableOf(tree, manifest, 'clips.bin', ClipTable),
    openTableOf(tree, manifest, 'words.bin', WordTable),
    openTableOf(tree, manifest, 'spellings.bin', SpellingsTable),
    openSegments(tree, manifest.sentences),
  ])
  return {
    manifest,
    coverage: JSON.parse(coverage.toString()) as Coverage,
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
  }
}

/**
 * Opens one table of a release.
 *
 * @throws {MissingFile | SyntaxError} it is missing, of another version, or not what the manifest
 *   says
 */
export async function openTableOf<Table>(
  tree: Tree,
  { release, files }: Manifest,
  file: keyof Manifest['files'],
  TableClass: new (bytes: Uint8Array<ArrayBuffer>, path: string) => Table,
): Promise<Table> {
  const path = releasePath(release, file)
  const { bytes, digest } = await tree.readDigested(path, files[file])
  if (digest !== files[file]) throw new SyntaxError(`cannot open "${path}": it does not match the manifest`)
  return new TableClass(bytes, path)
}
