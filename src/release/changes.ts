/**
 * `changes.json`: the changes from one release to the next, and the net effect of several in a row.
 *
 * Each release is built from the latest one, also after a rollback, so the releases of a tree are a
 * list. A release remembers the last ones with the digests of their `changes.json`, and nothing
 * else is followed or believed.
 */
import type { Manifest } from './manifest.ts'
import { recordFolder, releaseNumber, releasePath } from './paths.ts'
import { DamagedFile, nullIfMissing, type Tree } from './tree.ts'

export interface Change<Id> {
  added: Id[]
  changed: Id[]
  withdrawn: Id[]
}

/** The changes from one release to another. Ids are in ascending order. */
export interface NetChanges {
  /**
   * null if there is no previous release, or none that can be opened: everything counts as added.
   */
  from: string | null
  to: string
  clips: Change<string>
  words: Change<number>
}

/** `changes.json` (contract 3). */
export interface Changes extends NetChanges {
  /** The JSON files under `data/`: what a mirror has to fetch, and what it may delete. */
  files: FileChange
}

export interface FileChange {
  added: string[]
  removed: string[]
}

/**
 * How many releases a release remembers, and how many of the newest keep their `changes.json` when
 * they are pruned (contract 1.6: at least 30).
 */
export const keptChanges = 60

/** What changed in a release: clips by the paths of their records. */
export interface ChangedItems {
  records: Change<string>
  words: Change<number>
}

/** A release before another one, and the SHA-256 of its `changes.json`. */
export type PastRelease = Manifest['history'][number]

/** How much of a list is parsed at a time: about a millisecond. */
const pieceBytes = 128 * 1024

/** How many ids or paths one piece of text holds: those of a first release are millions. */
const itemsAPiece = 10_000

/** How many ids are merged at a time: less than a millisecond. */
const idsAStep = 1_000

/** The text of `changes.json`, an id or path a line, in pieces. */
export function* changesText({ from, to, ...parts }: NetChanges | Changes): Generator<string> {
  yield `{\n"from": ${JSON.stringify(from)},\n"to": ${JSON.stringify(to)}`
  for (const [name, lists] of Object.entries(parts)) {
    yield `,\n"${name}": {`
    for (const [i, [kind, items]] of Object.entries<(string | number)[]>({ ...lists }).entries()) {
      yield `${i > 0 ? ',' : ''}\n"${kind}": [`
      yield* linesOf(items)
      yield ']'
    }
    yield '}'
  }
  yield '\n}\n'
}

function* linesOf(items: readonly (string | number)[]): Generator<string> {
  for (let from = 0; from < items.length; from += itemsAPiece) {
    const lines = items.slice(from, from + itemsAPiece).map((item) => JSON.stringify(item))
    yield `${from > 0 ? ',' : ''}\n${lines.join(',\n')}`
  }
}

/**
 * Reads the `changes.json` of a release, which outlives the release: `prune` keeps those of the
 * last releases.
 *
 * @throws {MissingFile | DamagedFile} it is missing, or is not that of the release
 */
export async function readChanges(tree: Tree, release: string): Promise<Changes> {
  const path = releasePath(release, 'changes.json')
  const changes = parseObject((await tree.read(path)).toString())
  if (changes?.to !== release || !changes.clips || !changes.words || !changes.files)
    throw new DamagedFile(path)
  return changes as Changes
}

function parseObject(text: string): Partial<Changes> | null {
  try {
    return JSON.parse(text) as Partial<Changes> | null
  } catch {
    return null
  }
}

/**
 * The releases whose changes lead from one release of a tree to another, oldest first; null if they
 * are not known.
 *
 * @param newest the manifest of the newer of the two
 */
export function stepsBetween(newest: Manifest, from: string, to: string): PastRelease[] | null {
  const known = historyAfter(newest)
  const [a, b] = [from, to].map((id) => known.findIndex(({ release }) => release === id)) as [number, number]
  return a < 0 || b < 0 ? null : known.slice(Math.min(a, b) + 1, Math.max(a, b) + 1)
}

/** What the next release remembers: the history of a release, and the release itself. */
export function historyAfter({ history, release, files }: Manifest): PastRelease[] {
  return [...history, { release, changes: files['changes.json'] }].slice(-keptChanges)
}

/** The bytes of a `changes.json`. @throws {MissingFile | DamagedFile} */
export async function readChangesOf(tree: Tree, { release, changes }: PastRelease): Promise<Buffer> {
  const path = releasePath(release, 'changes.json')
  // Piece by piece: the one of a first release may have hundreds of megabytes.
  const { bytes, digest } = await tree.readDigested(path, changes)
  if (digest !== changes) throw new DamagedFile(path)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

/**
 * Reads the records and words in the bytes of a `changes.json`, of which each list has an item a
 * line. Yields how many it has read, so that a long file need not be read in one turn of the event
 * loop.
 */
export function* parseItems(bytes: Buffer): Generator<number, ChangedItems> {
  const words = bytes.indexOf('\n"words": {')
  const added = bytes.indexOf('"added": [', bytes.indexOf('\n"files": {', words))
  const removed = bytes.indexOf('"removed": [', added)
  return {
    records: {
      added: yield* parseList(bytes, added, isRecord),
      changed: [],
      withdrawn: yield* parseList(bytes, removed, isRecord),
    },
    words: yield* parseChange<number>(bytes, words),
  }
}

/** The paths of clips' records come first in a list of files. */
function isRecord(path: string): boolean {
  return path.startsWith(recordFolder)
}

/**
 * The clips that have the records of a net change. A clip that was withdrawn and came back has its
 * old record, so that it is in none of the lists.
 */
export function* clipsOf({ added, withdrawn }: Change<string>): Generator<number, Change<string>> {
  const idsOf = (paths: string[]) =>
    paths.values().map((path) => path.slice(recordFolder.length, path.indexOf('.', recordFolder.length)))
  return yield* netOf([
    { added: [], changed: [], withdrawn: idsOf(withdrawn) },
    { added: idsOf(added), changed: [], withdrawn: [] },
  ])
}

function* parseChange<Id>(bytes: Buffer, at: number): Generator<number, Change<Id>> {
  const added = bytes.indexOf('"added": [', at)
  const changed = bytes.indexOf('"changed": [', added)
  const withdrawn = bytes.indexOf('"withdrawn": [', changed)
  return {
    added: yield* parseList<Id>(bytes, added),
    changed: yield* parseList<Id>(bytes, changed),
    withdrawn: yield* parseList<Id>(bytes, withdrawn),
  }
}

/** Reads a list, up to the first item that is not wanted. */
function* parseList<Id>(
  bytes: Buffer,
  at: number,
  isWanted: (id: Id) => boolean = () => true,
): Generator<number, Id[]> {
  const ids: Id[] = []
  const end = bytes.indexOf(']', at)
  for (let from = bytes.indexOf('[', at) + 1; from < end;) {
    const comma = bytes.indexOf(',', Math.min(from + pieceBytes, end))
    const to = comma < 0 || comma > end ? end : comma
    const piece = JSON.parse(`[${bytes.toString('utf8', from, to)}]`) as Id[]
    yield piece.length
    for (const id of piece) {
      if (!isWanted(id)) return ids
      ids.push(id)
    }
    from = to + 1
  }
  return ids
}

/**
 * The net effect of the changes of several releases in a row, oldest first. Yields how many ids it
 * has handled.
 *
 * The lists are merged, because they are in order: a Map of a million ids and a sort of them would
 * each take longer than a turn of the event loop may.
 */
export function* netOf<Id extends string | number>(
  steps: readonly Record<keyof Change<Id>, Iterable<Id>>[],
): Generator<number, Change<Id>> {
  const lists = steps.flatMap(({ added, changed, withdrawn }) => [
    notes(added, false, true),
    notes(changed, true, true),
    notes(withdrawn, true, false),
  ])
  const net: Change<Id> = { added: [], changed: [], withdrawn: [] }
  let count = 0
  for (const { id, before, after } of merged(lists)) {
    if (before || after) net[before ? (after ? 'changed' : 'withdrawn') : 'added'].push(id)
    if (++count % idsAStep === 0) yield idsAStep
  }
  yield count % idsAStep
  return net
}

/** Whether an id was there before some changes, and whether it is after them. */
interface Note<Id> {
  id: Id
  before: boolean
  after: boolean
}

function* notes<Id>(ids: Iterable<Id>, before: boolean, after: boolean): Generator<Note<Id>, void> {
  for (const id of ids) yield { id, before, after }
}

/** Merges lists in ascending order, oldest first, into one that has each id once. */
function* merged<Id>(lists: readonly Generator<Note<Id>, void>[]): Generator<Note<Id>, void> {
  if (lists.length < 2) return yield* lists[0] ?? []
  const older = merged(lists.slice(0, lists.length >> 1))
  const newer = merged(lists.slice(lists.length >> 1))
  let [a, b] = [older.next(), newer.next()]
  while (a.value || b.value) {
    if (!b.value || (a.value && a.value.id < b.value.id)) {
      yield a.value!
      a = older.next()
    } else if (!a.value || b.value.id < a.value.id) {
      yield b.value
      b = newer.next()
    } else {
      yield { id: a.value.id, before: a.value.before, after: b.value.after }
      ;[a, b] = [older.next(), newer.next()]
    }
  }
}

/** The same changes backwards. */
export function inverse<Id>({ added, changed, withdrawn }: Change<Id>): Change<Id> {
  return { added: withdrawn, changed, withdrawn: added }
}

/**
 * The changes on the way from one release of a tree to another: first those that are undone, then
 * those that are made. Null if one of the `changes.json` is missing.
 *
 * @throws what `read` throws
 */
export async function changesOnTheWay<Step extends Pick<NetChanges, 'from'>>(
  from: string,
  to: string,
  read: (release: string) => Promise<Step>,
): Promise<{ undone: Step[]; done: Step[] } | null> {
  const undone: Step[] = []
  const done: Step[] = []
  let [low, high] = [from, to]
  while (low !== high) {
    const isHighNewer = releaseNumber(high) > releaseNumber(low)
    const step = await nullIfMissing(read(isHighNewer ? high : low))
    if (!step || step.from === null) return null
    // Otherwise the way could go round in a circle.
    if (releaseNumber(step.from) >= releaseNumber(isHighNewer ? high : low)) return null
    if (isHighNewer) [high, done[done.length]] = [step.from, step]
    else [low, undone[undone.length]] = [step.from, step]
  }
  return { undone, done: done.toReversed() }
}
