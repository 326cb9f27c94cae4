import { createHash, type Hash } from 'node:crypto'
import { wordPages } from '#release/named-files.ts'
import { formatWordList } from '#release/word-list.ts'
import type { WordTable } from '#release/word-table.ts'
import type { CheckedFiles } from './checked-files.ts'

/** A page of a list, to be held against what it should be. */
interface Page {
  head: { wordId: number; language: string; page: number; pages: number }
  text: string
}

/**
 * Holds the pages of a word's list against the digest in their names, which is that of the items of all pages; what is around the items must be just what a
 * build puts there.
 */
export function verifyWordList(files: CheckedFiles, words: WordTable, row: number): void {
  const [wordId, language, digest] = [words.wordId(row), words.language(row), words.listDigest(row)]
  const paths = wordPages(words, row)
  const hash = createHash('sha256')
  let isWhole = true
  for (const [i, path] of paths.entries()) {
    const bytes = files.read(path, `page ${i + 1} of the clips of word ${wordId}`)
    const head = { wordId, language, page: i + 1, pages: paths.length }
    const fault = bytes ? takePage(hash, { head, text: bytes.toString() }) : null
    if (fault) files.fault({ path, wanted: fault, received: `another text (${bytes!.length} bytes)` })
    isWhole &&= bytes !== null && fault === null
  }
  const found = hash.digest('hex').slice(0, digest.length)
  if (!isWhole || found === digest) return
  const received = `SHA-256 ${found}…${paths.length > 1 ? ` (its ${paths.length} pages together)` : ''}`
  files.fault({ path: paths[0]!, wanted: `items of SHA-256 ${digest}…`, received })
}

/** Adds the items of a page to the digest of the list. Gives what the page should be, where it is not; else null. */
function takePage(hash: Hash, { head, text }: Page): string | null {
  // Between the first line and the last, items stand on lines of their own, with commas between them.
  const items = text
    .split('\n')
    .slice(1, -2)
    .map((line, i, lines) => (i < lines.length - 1 ? line.slice(0, -1) : line))
  for (const [i, item] of items.entries()) hash.update(head.page === 1 && i === 0 ? item : `\n${item}`)
  if (formatWordList(head, items).text === text) return null
  return `page ${head.page} of ${head.pages} of the clips of word ${head.wordId}`
}
