import { itemsPerPage, itemsPerStep } from './word-table.ts'

/** A published page of a word→clips list: one JSON document, each item on a line of its own, so that it can be cut without being parsed. */

/** The text of a page, and its checkpoints: where every 16th item begins, in bytes, and where the last one ends. `items` are JSON texts without line breaks. */
export function formatWordList(
  head: { wordId: number; language: string; page: number; pages: number },
  items: readonly string[],
): { text: string; checkpoints: number[] } {
  const start = `${JSON.stringify(head).slice(0, -1)},"items":[\n`
  const checkpoints: number[] = []
  let at = Buffer.byteLength(start)
  for (const [i, item] of items.entries()) {
    if (i % itemsPerStep === 0) checkpoints.push(at)
    at += Buffer.byteLength(item) + separatorBytes
  }
  checkpoints.push(at - separatorBytes)
  return { text: `${start}${items.join(',\n')}\n]}\n`, checkpoints }
}

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

/**
 * Items as they were cut → as an answer shows them: the JSON of the clip in the place of its id, which stands first in every item.
 *
 * `jsonOf` gives the JSON of a clip by its id.
 */
export function showClips(items: string, jsonOf: (clipId: string) => string): string {
  return items
    .split(separator)
    .map((item) => `${beforeClip}${jsonOf(item.slice(idFrom, idTo))}${item.slice(idTo + 1)}`)
    .join(',')
}

const separator = ',\n'
const beforeClip = '{"clip":'
const idFrom = beforeClip.length + 1
const idTo = idFrom + 36
const lineFeed = 10

/** How many pages a list of so many items has. */
export function pagesOf(count: number): number {
  return Math.ceil(count / itemsPerPage)
}
