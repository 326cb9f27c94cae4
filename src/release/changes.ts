/**
 * `changes.json`: the changes from one release to the next, and the net effect of several in a row.
 *
 * The releases of a tree form a tree of their own: each names the release that it was built from,
 * which after a rollback is not the newest. Net changes are followed along that path, up and down
 * again.
 */
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

/** How many ids or paths one piece of text holds: those of a first release are millions. */
const itemsAPiece = 10_000

/** The text of `changes.json`, an id or path a line, in pieces. */
export function* changesText({ from, to, clips, words, files }: Changes): Generator<string> {
  yield `{\n"from": ${JSON.stringify(from)},\n"to": ${JSON.stringify(to)}`
  for (const [name, lists] of Object.entries({ clips, words, files })) {
    yield `,\n"${name}": {`
    for (const [i, [kind, items]] of Object.entries(lists).entries()) {
      yield `${i > 0 ? ',' : ''}\n"${kind}": [`
      yield* linesOf(items as (string | number)[])
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
 * The net changes between two releases of a tree; null if one of the `changes.json` between them is
 * missing. `read` returns the changes of a release, as `readChanges` does, and may cache them.
 *
 *     await netChanges('000003-0a1b2c3d', '000007-4e5f6071', (id) => readChanges(tree, id))
 */
export async function netChanges(
  from: string,
  to: string,
  read: (release: string) => Promise<NetChanges>,
): Promise<NetChanges | null> {
  const way = await changesOnTheWay(from, to, read)
  if (!way) return null
  const steps = [...way.undone.map(inverse), ...way.done]
  return {
    from,
    to,
    clips: fold(steps.map(({ clips }) => clips)),
    words: fold(steps.map(({ words }) => words)),
  }
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
    if (isHighNewer) [high, done[done.length]] = [step.from, step]
    else [low, undone[undone.length]] = [step.from, step]
  }
  return { undone, done: done.toReversed() }
}

function inverse({ from, to, clips, words }: NetChanges): NetChanges {
  const turn = <Id>({ added, changed, withdrawn }: Change<Id>) => ({
    added: withdrawn,
    changed,
    withdrawn: added,
  })
  return { from: to, to: from!, clips: turn(clips), words: turn(words) }
}

/**
 * What was there at first and is not at the end is withdrawn, and so on. What was withdrawn and
 * added again counts as changed.
 */
function fold<Id extends string | number>(steps: readonly Change<Id>[]): Change<Id> {
  const wasThere = new Map<Id, boolean>()
  const isThere = new Map<Id, boolean>()
  const note = (ids: readonly Id[], before: boolean, after: boolean) => {
    for (const id of ids) {
      if (!wasThere.has(id)) wasThere.set(id, before)
      isThere.set(id, after)
    }
  }
  for (const { added, changed, withdrawn } of steps) {
    note(added, false, true)
    note(changed, true, true)
    note(withdrawn, true, false)
  }
  const idsOf = (before: boolean, after: boolean) =>
    [...wasThere.keys()]
      .filter((id) => wasThere.get(id) === before && isThere.get(id) === after)
      .sort(byValue)
  return { added: idsOf(false, true), changed: idsOf(true, true), withdrawn: idsOf(true, false) }
}

function byValue(a: string | number, b: string | number): number {
  return a < b ? -1 : Number(a > b)
}
