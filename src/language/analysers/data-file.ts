import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns the lines of a data file in a folder, by default the analysers' folder, without empty
 * lines and comments (`#`); none if there is no such file.
 */
export function readDataLines(name: string, folder = import.meta.dirname): string[] {
  const path = join(folder, name)
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}

/** Returns the lines of a data file, each split at spaces. A colon before a space is dropped. */
export function readDataRows(name: string, folder?: string): [first: string, ...others: string[]][] {
  return readDataLines(name, folder).map((line) => line.split(/:? /) as [string, ...string[]])
}

/**
 * Returns a function that tells whether a list of a data file contains a word. The file has lines
 * such as `verb: be have`; lines with the same name are combined.
 */
export function readLists(name: string): (list: string, word: string) => boolean {
  /** The lists, keyed by word. */
  const lists = new Map<string, Set<string>>()
  for (const [list, ...words] of readDataRows(name))
    for (const word of words) lists.getOrInsertComputed(word, () => new Set()).add(list)
  return (list, word) => lists.get(word)?.has(list) ?? false
}
