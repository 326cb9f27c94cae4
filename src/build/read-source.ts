import { isDeepStrictEqual } from 'node:util'
import { blocksOf, isLines, type ClipBlock } from '#corpus/clip-blocks.ts'
import type { ClipFile } from '#corpus/clip-files.ts'
import { emptyFile } from '#corpus/read-clips.ts'
import { BuildStopped } from './build-stopped.ts'
import type { Crew } from './crew.ts'
import { isFault, type Found } from './found.ts'
import type { Plan } from './plan.ts'
import { readAhead } from './read-ahead.ts'
import type { Tell } from './progress.ts'
import type { Seen, SeenFile } from '#tree/seen.ts'
import type { ReadText, Surveyed } from './survey.ts'
import type { BlockContent } from './tasks.ts'
import { isMuch, type Source } from './source.ts'

/** By source file, in path order: its texts. */
export type SourceTexts = Map<string, ReadText[]>

/** About how many bytes of source a hand is given in one order, and the most files. */
const orderBytes = 1 << 20
const orderFiles = 64

/** Reads the source: what is not as it was seen is read and rendered where it is new, of the rest is taken what was seen. */
export async function readSource(
  corpusFolder: string,
  { files, seen, stale }: Source,
  crew: Crew,
  tell: Tell,
): Promise<SourceTexts> {
  const read = await readFiles(corpusFolder, stale, crew, tell)
  const asSeen = (file: string) =>
    seen.byFile.get(file)!.found.map((found) => ({ file, found, rendered: null }))
  return new Map(files.map(({ file }) => [file, read.get(file) ?? asSeen(file)]))
}

/**
 * What the next build is to be told to have been seen; null where it is told already but for the stamps of a few files, which are as soon read once more.
 */
export function nextSeen(texts: SourceTexts, source: Source): Seen | null {
  const { files, seen, stale, startedNs } = source
  const byFile = files.map(({ file, stamp }): [string, SeenFile] => [
    file,
    { stamp, found: texts.get(file)!.map(({ found }) => found) },
  ])
  const next = { startedNs, byFile: new Map(byFile) }
  const isAsSeen = (file: string) =>
    isDeepStrictEqual(next.byFile.get(file)!.found, seen.byFile.get(file)?.found)
  const isKnown = files.length === seen.byFile.size && stale.every(({ file }) => isAsSeen(file))
  return isKnown && !isMuch(stale, source) ? null : next
}

/**
 * Renders the clips of the plan that were not rendered when the source was read, for then they seemed to be known: a clip that was kept and now is to be replaced,
 * one that was rejected beside another that is gone, one that was pruned. Gives the slots of all that it rendered.
 *
 * @throws {BuildStopped} a source file changed since it was first read
 */
export async function renderMissing(
  corpusFolder: string,
  source: Source,
  crew: Crew,
  plan: Plan,
  tell: Tell,
): Promise<number[]> {
  const missing = [...plan.publish.values()].filter(({ rendered }) => rendered === null)
  if (missing.length === 0) return []
  const names = new Set(missing.map(({ file }) => file))
  const wanted = new Set(missing.map(({ digest }) => digest))
  const again = source.files.filter(({ file }) => names.has(file))
  if (isMuch(again, source)) crew.expectMuch()
  const texts = await readFiles(corpusFolder, again, crew, tell, wanted)
  const byPlace = new Map(
    [...texts.values()].flat().map((text) => [placeKey({ file: text.file, ...text.found }), text]),
  )
  for (const surveyed of missing) {
    const text = byPlace.get(placeKey(surveyed))
    if (!text?.rendered || isFault(text.found) || text.found.digest !== surveyed.digest)
      throw new BuildStopped(`"${surveyed.file}" changed while it was read: nothing was published`)
    surveyed.rendered = text.rendered
  }
  return releaseRendered(texts)
}

/** Gives the slots of the clips that were rendered, and lets go of what was: whoever wants it has it by now, and it is the most of what a build holds. */
export function releaseRendered(texts: SourceTexts): number[] {
  const slots: number[] = []
  for (const text of [...texts.values()].flat()) {
    if (text.rendered) slots.push(text.rendered.slot)
    text.rendered = null
  }
  return slots
}

function placeKey({ file, line }: { file: string; line?: Surveyed['line'] }): string {
  return `${file}:${line ?? ''}`
}

/** Reads files by the crew; gives what each holds. `wanted` as in `Tasks.read`. */
async function readFiles(
  corpusFolder: string,
  files: readonly ClipFile[],
  crew: Crew,
  tell: Tell,
  wanted?: ReadonlySet<string>,
): Promise<SourceTexts> {
  const contents = new Map(files.map(({ file }) => [file, new FileContent(file)]))
  const total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  let done = 0
  const taken: ClipBlock[][] = []
  const blocksInOrders = ordersOf(corpusFolder, files)
  const inTime = crew.hasThreads ? readAhead(corpusFolder, blocksInOrders) : blocksInOrders
  const orders = inTime.map((blocks): [ClipBlock[], typeof wanted] => {
    taken.push(blocks)
    return [blocks, wanted]
  })
  for await (const results of crew.each('read', orders)) {
    for (const [i, { file, from, to }] of taken.shift()!.entries()) {
      contents.get(file)!.take(results[i]!)
      done += to - from
    }
    tell({ step: 'read', done, total })
  }
  return new Map([...contents].map(([file, content]) => [file, content.texts()]))
}

function* ordersOf(corpusFolder: string, files: readonly ClipFile[]): Generator<ClipBlock[]> {
  let order: ClipBlock[] = []
  let bytes = 0
  for (const clipFile of files) {
    for (const block of blocksOf(corpusFolder, clipFile)) {
      order.push(block)
      bytes += block.to - block.from
      if (bytes < orderBytes && order.length < orderFiles) continue
      yield order
      order = []
      bytes = 0
    }
  }
  if (order.length > 0) yield order
}

/** What a file holds, put together block by block. */
class FileContent {
  readonly #file: string
  readonly #texts: ReadText[] = []
  #lines = 0

  constructor(file: string) {
    this.#file = file
  }

  take({ lineCount, found, rendered }: BlockContent): void {
    for (const [i, each] of found.entries())
      this.#texts.push({ file: this.#file, found: this.#inFile(each), rendered: rendered[i]! })
    this.#lines += lineCount
  }

  texts(): ReadText[] {
    return this.#texts.length === 0 && isLines(this.#file)
      ? [{ file: this.#file, found: { reason: emptyFile.reason }, rendered: null }]
      : this.#texts
  }

  #inFile(found: Found): Found {
    return found.line === undefined ? found : { ...found, line: this.#lines + found.line }
  }
}
