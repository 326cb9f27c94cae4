import { textHash } from '#kit/text-hash.ts'

/**
 * The pages of the list of a word's clips (FORMAT.md, "Lists of a word's clips"). A page is one
 * JSON document with each item on a line of its own.
 *
 * The content determines where a page ends: adding or removing an item changes only its page, and
 * every other page keeps its bytes and its name.
 */

/** A page ends after a clip whose id hashes to a multiple of this. */
const meanItems = 128
/** The number of items, or their size in bytes, at which a page ends in any case. */
const mostItems = 512
const mostBytes = 256 * 1024

/** Whether a page of `count` items, with this size in bytes, ends with the item of this clip. */
export function endsPage(clipId: string, count: number, sizeBytes: number): boolean {
  return count >= mostItems || sizeBytes >= mostBytes || textHash(clipId) % meanItems === 0
}

export function pageStart(wordId: number, language: string): string {
  return `{"wordId":${wordId},"language":"${language}","items":[\n`
}
export const itemSeparator = ',\n'
export const pageEnd = '\n]}\n'

/** The beginning of every item; the clip id follows, at the same position in each. */
export const itemOpening = '{"clip":"'

/** Returns the JSON of the items `from … to` of a page. */
export function itemsOf(page: string, from: number, to: number): string[] {
  const lines = page.split('\n', 1 + to).slice(1 + from)
  return lines.map((line) => (line.endsWith(',') ? line.slice(0, -1) : line))
}
