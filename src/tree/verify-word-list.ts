import { createHash } from 'node:crypto'
import type { NamedSegment } from '#release/lists/clip-list.ts'
import { pageEnd, pageStart, separator } from '#release/lists/layout.ts'
import type { WordTable } from '#release/words/reader.ts'
import { segmentPages } from '#release/named-files.ts'
import type { CheckedFiles } from './checked-files.ts'

/**
 * Compares the pages of a word's list with the digests in their names, which are those of the items
 * of all pages of a segment. What surrounds the items must be exactly what a build writes.
 */
export function verifyWordList(files: CheckedFiles, words: WordTable, row: number): void {
  for (const segment of words.segments(row)) verifySegment(files, words, row, segment)
}

function verifySegment(files: CheckedFiles, words: WordTable, row: number, segment: NamedSegment): void {
  const [wordId, language, { digest }] = [words.wordId(row), words.language(row), segment]
  const paths = segmentPages(words, row, segment)
  const hash = createHash('sha256')
  let isWhole = true
  for (const [i, path] of paths.entries()) {
    const bytes = files.read(path, `page ${i + 1} of the clips of word ${wordId}`)
    const items = bytes && itemsOf(bytes, pageStart({ wordId, language, page: i + 1, pages: paths.length }))
    if (bytes && !items) {
      const wanted = `page ${i + 1} of ${paths.length} of the clips of word ${wordId}`
      files.fault({ path, wanted, received: `different content (${bytes.length} bytes)` })
    }
    if (i > 0) hash.update(separator)
    if (items) hash.update(items)
    else isWhole = false
  }
  const found = hash.digest('hex').slice(0, digest.length)
  if (!isWhole || found === digest) return
  const received = `SHA-256 ${found}…${paths.length > 1 ? ` (its ${paths.length} pages together)` : ''}`
  files.fault({ path: paths[0]!, wanted: `items of SHA-256 ${digest}…`, received })
}

/** The bytes between the beginning of a page and its end; null if either differs. */
function itemsOf(bytes: Buffer, start: string): Buffer | null {
  const from = Buffer.byteLength(start)
  const to = bytes.length - pageEnd.length
  const isPage = to >= from && bytes.toString('utf8', 0, from) === start && bytes.subarray(to).equals(pageEnd)
  return isPage ? bytes.subarray(from, to) : null
}
