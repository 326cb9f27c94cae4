import { ByteWriter, pieceOf } from '#kit/byte-writer.ts'
import type { ClipTable } from '../clips/reader.ts'
import type { Merging } from './clip-list.ts'
import { idFrom, idTo, separator, shownOpening } from './layout.ts'

/**
 * Cuts the bytes between two checkpoints of a page: returns those of the `count` items behind the
 * first `skip`, with a separator between them.
 */
export function cutItems(bytes: Buffer, skip: number, count: number): Buffer {
  let from = 0
  for (let i = 0; i < skip; i++) from = bytes.indexOf(lineFeed, from) + 1
  let to = from
  for (let i = 0; i < count; i++) {
    const end = bytes.indexOf(lineFeed, to)
    if (end < 0) return bytes.subarray(from)
    to = end + 1
  }
  return bytes.subarray(from, to - separator.length)
}

/** Joins runs of items that follow one another. */
export function joinItems(runs: readonly Buffer[]): Buffer {
  return runs.length === 1
    ? runs[0]!
    : Buffer.concat(runs.flatMap((run, i) => (i > 0 ? [separator, run] : [run])))
}

/**
 * Merges items of two segments: those of the base that are not deleted, and the later ones at their
 * places. Arguments and result have the form that `cutItems` returns.
 */
export function mergeItems(base: Buffer, later: Buffer, { places, gone }: Merging): Buffer {
  if (places.length === 0 && gone.length === 0) return base
  const out = new ByteWriter(base.length + later.length + separator.length)
  const add = (items: Buffer, { from, to }: Item) => {
    if (out.length > 0) out.copy(separator)
    out.copy(items, from, to)
  }
  const news = itemsOf(later)
  let [place, came, went] = [0, 0, 0]
  const addLater = () => {
    for (; places[came] === place; came++, place++) add(later, news[came]!)
  }
  for (const [number, item] of itemsOf(base).entries()) {
    if (gone[went] === number) {
      went++
      continue
    }
    addLater()
    add(base, item)
    place++
  }
  addLater()
  return out.view()
}

interface Item {
  from: number
  to: number
}

/** Where each item lies. */
function itemsOf(items: Buffer): Item[] {
  const found: Item[] = []
  for (let from = 0; from < items.length;) {
    const end = items.indexOf(lineFeed, from)
    const to = end < 0 ? items.length : end + 1 - separator.length
    found.push({ from, to })
    from = to + separator.length
  }
  return found
}

const lineFeed = 10
const comma = 44
const beforeClip = pieceOf(shownOpening)

/**
 * Appends items as an answer shows them, with the JSON of the clip in the place of its id.
 *
 * @throws {Error} the table lacks one of the clips
 */
export function writeItems(out: ByteWriter, items: Buffer, clips: ClipTable): void {
  for (let at = 0; at < items.length;) {
    const row = clips.find(items.toString('latin1', at + idFrom, at + idTo))
    if (row < 0) throw new Error('cannot show a list of clips: the release lacks one of them')
    if (at > 0) out.byte(comma)
    out.piece(beforeClip)
    clips.writeRest(out, row)
    const lineEnd = items.indexOf(lineFeed, at)
    out.copy(items, at + idTo + 1, lineEnd < 0 ? items.length : lineEnd + 1 - separator.length)
    at = lineEnd < 0 ? items.length : lineEnd + 1
  }
}
