import type { ByteWriter } from '#kit/byte-writer.ts'
import type { ClipTable } from './clip-table.ts'
import { itemsPerPage } from './word-table.ts'

/** A published page of a word→clips list: one JSON document, each item on a line of its own, so that it can be cut without being parsed. */

/** Between two items: a comma and a line feed. */
const separatorBytes = 2

/** The bytes from one checkpoint to a later one → those of `count` items behind the first `skip`, with a comma and a line feed between them. */
export function cutItems(bytes: Buffer, skip: number, count: number): Buffer {
  let from = 0
  for (let i = 0; i < skip; i++) from = bytes.indexOf(lineFeed, from) + 1
  let to = from
  for (let i = 0; i < count; i++) {
    const end = bytes.indexOf(lineFeed, to)
    if (end < 0) return bytes.subarray(from)
    to = end + 1
  }
  return bytes.subarray(from, to - separatorBytes)
}

const lineFeed = 10
const comma = 44
const beforeClip = Buffer.from('{"clip":')
/** Where the id of its clip stands in an item. */
const idFrom = beforeClip.length + 1
const idTo = idFrom + 36

/**
 * Appends items as an answer shows them: the JSON of the clip in the place of its id, which stands at the same place in every item.
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
  clips.fetch(rows)
  for (const [i, start] of starts.entries()) {
    const end = i + 1 < starts.length ? starts[i + 1]! - separatorBytes : items.length
    if (i > 0) out.byte(comma)
    out.copy(beforeClip)
    clips.writeJson(out, rows[i]!)
    out.copy(items, start + idTo + 1, end)
  }
}

/** How many pages a list of so many items has. */
export function pagesOf(count: number): number {
  return Math.ceil(count / itemsPerPage)
}
