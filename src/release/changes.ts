/**
 * `changes.json`: the changes from one release to the next, and the net effect of several in a row.
 *
 * Each release is built from the latest one, also after a rollback, so the releases of a tree are a
 * list. A release remembers the last ones with the digests of their `changes.json`, and nothing
 * else is followed or believed.
 */
import type { Manifest } from './manifest.ts'
import { releaseNumber, releasePath } from './paths.ts'
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

/** A release before another one, and the SHA-256 of its `changes.json`. */
export type PastRelease = Manifest['history'][number]

/** How much of a list is parsed at a time: about a millisecond. */
const pieceBytes = 128 * 1024

/** How many ids or paths one piece of text holds: those of a first release are millions. */
const itemsAPiece = 10_000

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
 * Reads the ids in the bytes of a `changes.json`, of which each list has an id a line. Yields how
 * many it has read, so that a long file need not be read in one turn of the event loop.
 */
export function* parseIds(bytes: Buffer): Generator<number, Pick<NetChanges, 'clips' | 'words'>> {
  const clips = bytes.indexOf('\n"clips": {')
  const words = bytes.indexOf('\n"words": {', clips)
  return { clips: yield* parseChange<string>(bytes, clips), words: yield* parseChange<number>(bytes, words) }
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

function* parseList<Id>(bytes: Buffer, at: number): Generator<number, Id[]> {
  const ids: Id[] = []
  const end = bytes.indexOf(']', at)
  for (let from = bytes.indexOf('[', at) + 1; from < end;) {
    const comma = bytes.indexOf(',', Math.min(from + pieceBytes, end))
    const to = comma < 0 || comma > end ? end : comma
    const piece = JSON.parse(`[${bytes.toString('utf8', from, to)}]`) as Id[]
    for (const id of piece) ids.push(id)
    yield piece.length
    from = to + 1
  }
  return ids
}

/**
 * The net effect of the changes of several releases in a row, oldest first. Yields how many ids it
 * has handled.
 */
export function* netOf<Id extends string | number>(
  steps: readonly Change<Id>[],
): Generator<number, Change<Id>> {
  const wasThere = new Map<Id, boolean>()
  const isThere = new Map<Id, boolean>()
  const note = function* (ids: readonly Id[], before: boolean, after: boolean) {
    for (const [i, id] of ids.entries()) {
      if (!wasThere.has(id)) wasThere.set(id, before)
      isThere.set(id, after)
      if (i % itemsAPiece === itemsAPiece - 1) yield itemsAPiece
    }
    yield ids.length % itemsAPiece
  }
  for (const { added, changed, withdrawn } of steps) {
    yield* note(added, false, true)
    yield* note(changed, true, true)
    yield* note(withdrawn, true, false)
  }
  const net: Change<Id> = { added: [], changed: [], withdrawn: [] }
  let count = 0
  for (const [id, before] of wasThere) {
    const after = isThere.get(id)!
    if (before || after) net[before ? (after ? 'changed' : 'withdrawn') : 'added'].push(id)
    if (++count % itemsAPiece === 0) yield itemsAPiece
  }
  for (const ids of Object.values(net)) {
    ids.sort(byValue)
    yield ids.length
  }
  return net
}

/** The same changes backwards. */
export function inverse<Id>({ added, changed, withdrawn }: Change<Id>): Change<Id> {
  return { added: withdrawn, changed, withdrawn: added }
}

function byValue(a: string | number, b: string | number): number {
  return a < b ? -1 : Number(a > b)
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
