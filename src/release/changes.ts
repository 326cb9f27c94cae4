/**
 * `changes.json`: the changes from one release to the next, and the net effect of several in a row.
 *
 * Each release is built from the latest one, even after a rollback, so the releases of a tree form
 * a list. A release stores the last ones with the digests of their `changes.json`, and only these
 * are followed.
 */
import type { Manifest } from './manifest.ts'
import { recordFolder, releasePath } from './paths.ts'
import { damagedFile, type Tree } from './tree.ts'

export interface Change<Id> {
  added: Id[]
  changed: Id[]
  withdrawn: Id[]
}

/** The changes from one release to another. */
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
  files: { added: string[]; removed: string[] }
}

/**
 * The number of previous releases that a release stores, and of the newest ones that keep their
 * `changes.json` when they are pruned (contract 1.6: at least 30).
 */
export const keptChanges = 60

/** An earlier release, and the SHA-256 of its `changes.json`. */
export type PastRelease = Manifest['history'][number]

/** The number of ids or paths in one piece of text. A first release has millions. */
const itemsAPiece = 10_000

const lineFeed = 10

/** Yields the text of `changes.json`, with one id or path per line, in pieces. */
export function* changesText({ from, to, ...parts }: NetChanges | Changes): Generator<string> {
  yield `{\n"from": ${JSON.stringify(from)},\n"to": ${JSON.stringify(to)}`
  for (const [name, lists] of Object.entries(parts)) {
    yield `,\n"${name}": {`
    for (const [i, [kind, items]] of Object.entries<(string | number)[]>({ ...lists }).entries()) {
      yield `${i > 0 ? ',' : ''}\n"${kind}": [`
      yield* linesOf(items)
      yield '\n]'
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
 * Returns the releases whose changes lead from one release of a tree to another, oldest first; null
 * if they are not known.
 *
 * @param newest the manifest of the newer of the two
 */
export function stepsBetween(newest: Manifest, from: string, to: string): PastRelease[] | null {
  const known = historyAfter(newest)
  const [a, b] = [from, to].map((id) => known.findIndex(({ release }) => release === id)) as [number, number]
  return a < 0 || b < 0 ? null : known.slice(Math.min(a, b) + 1, Math.max(a, b) + 1)
}

/** Returns the history for the next release: the history of a release, and the release itself. */
export function historyAfter({ history, release, files }: Manifest): PastRelease[] {
  return [...history, { release, changes: files['changes.json'] }].slice(-keptChanges)
}

/** Reads the bytes of a `changes.json`. @throws {TreeFault} */
export async function readChangesOf(tree: Tree, { release, changes }: PastRelease): Promise<Buffer> {
  const path = releasePath(release, 'changes.json')
  // Read in pieces, because that of a first release may have hundreds of megabytes.
  const { start, digest } = await tree.openDigested(path, changes)
  if (digest !== changes) throw damagedFile(path)
  return start
}

/** Whether an item existed before some releases, and whether it exists after them. */
interface Presence {
  before: boolean
  after: boolean
}

/**
 * Computes the net effect of the changes of several consecutive releases, which are added one after
 * another: oldest first, or newest first if the changes lead back. Generators yield the number of
 * items that they have processed, so that a long file can take several turns of the event loop.
 */
export class NetChange {
  readonly #isBack: boolean
  readonly #words = new Map<number, Presence>()
  /** The records of clips, keyed by path. */
  readonly #records = new Map<string, Presence>()

  constructor(isBack: boolean) {
    this.#isBack = isBack
  }

  /** Adds the bytes of a `changes.json`, which has one item per line. */
  *add(bytes: Buffer): Generator<number, void> {
    let [part, kind] = ['', '']
    for (let at = 0; at < bytes.length;) {
      const end = bytes.indexOf(lineFeed, at)
      const line = bytes.toString('utf8', at, end)
      at = end + 1
      yield 1
      const [, name = '', bracket] = /^"(\w+)": ([{[])$/.exec(line) ?? []
      if (bracket === '{') part = name
      else if (bracket === '[') kind = name
      else if (part === 'words' && /^\d/.test(line)) this.#note(this.#words, Number.parseInt(line), kind)
      else if (part === 'files' && line.startsWith(`"${recordFolder}`))
        this.#note(this.#records, JSON.parse(line.replace(/,$/, '')) as string, kind)
    }
  }

  #note<Id>(items: Map<Id, Presence>, id: Id, kind: string): void {
    const removal = kind === 'removed' ? 'removed' : 'withdrawn'
    const [addition, withdrawn] = this.#isBack ? [removal, 'added'] : ['added', removal]
    const presence = items.getOrInsertComputed(id, () => ({ before: kind !== addition, after: true }))
    presence.after = kind !== withdrawn
  }

  /** Returns clips and words. A clip that was withdrawn and restored is in none of the lists. */
  *result(): Generator<number, Pick<NetChanges, 'clips' | 'words'>> {
    const clips = new Map<string, Presence>()
    for (const [path, { before, after }] of this.#records) {
      yield 1
      if (before === after) continue
      const clipId = path.slice(recordFolder.length, path.indexOf('.', recordFolder.length))
      const clip = clips.getOrInsertComputed(clipId, () => ({ before: false, after: false }))
      clip.before ||= before
      clip.after ||= after
    }
    return { clips: yield* listsOf(clips), words: yield* listsOf(this.#words) }
  }
}

function* listsOf<Id>(items: Map<Id, Presence>): Generator<number, Change<Id>> {
  const net: Change<Id> = { added: [], changed: [], withdrawn: [] }
  for (const [id, { before, after }] of items) {
    if (before && after) net.changed.push(id)
    else if (before) net.withdrawn.push(id)
    else if (after) net.added.push(id)
    yield 1
  }
  return net
}
