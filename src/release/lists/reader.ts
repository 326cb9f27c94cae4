import { ByteWriter, pieceOf } from '#kit/byte-writer.ts'
import { clipOpening } from '../clips/record.ts'
import type { Merging } from './clip-list.ts'
import type { ClipTable } from '../clips/reader.ts'
import { separator } from './writer.ts'

/**
 * A published page of a word→clips list: one JSON document, each item on a line of its own, so that
 * it can be cut without being parsed.
 */

/**
 * The bytes from one checkpoint to a later one → those of `count` items behind the first `skip`,
 * with a comma and a line feed between them.
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

/** Runs of items that follow one another as one run. */
export function joinItems(runs: readonly Buffer[]): Buffer {
  return runs.length === 1
    ? runs[0]!
    : Buffer.concat(runs.flatMap((run, i) => (i > 0 ? [separator, run] : [run])))
}

/**
 * Items of two segments as one run of a list: those of the base that are not gone, and the later
 * ones at their places. Both as `cutItems` gives them, and the result too.
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
const beforeClip = '{"clip":'
const itemOpening = pieceOf(beforeClip + clipOpening)
/** Where the id of its clip stands in an item. */
const idFrom = beforeClip.length + 1
const idTo = idFrom + 36

/**
 * Appends items as an answer shows them: the JSON of the clip in the place of its id, which stands
 * at the same place in every item.
 *
 * @throws {Error} the table has no such clip
 */
export function writeItems(out: ByteWriter, items: Buffer, clips: ClipTable): void {
  const starts: number[] = []
  for (let at = 0; at >= 0 && at < items.length; at = items.indexOf(lineFeed, at) + 1 || -1) starts.push(at)
  const rows = clips.findIds(
    items,
    starts.map((start) => start + idFrom),
  )
  if (rows.includes(-1)) throw new Error('cannot show a list of clips: it names one that the release lacks')
  clips.prefetch(rows)
  for (const [i, start] of starts.entries()) {
    const end = i + 1 < starts.length ? starts[i + 1]! - separator.length : items.length
    if (i > 0) out.byte(comma)
    out.piece(itemOpening)
    clips.writeRest(out, rows[i]!)
    out.copy(items, start + idTo + 1, end)
  }
}
