import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The lines of a data file in a folder, by default that of the analysers, without empty ones and
 * comments (`#`); none if there is no such file.
 */
export function readDataLines(name: string, folder = import.meta.dirname): string[] {
  const path = join(folder, name)
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}

/**
 * Whether a word is in a list of a data file, which has lines such as `verb: be have`. Lines of one
 * name add up.
 */
export function readLists(name: string): (list: string, word: string) => boolean {
  /** By word. */
  const lists = new Map<string, Set<string>>()
  for (const line of readDataLines(name)) {
    const [list, ...words] = line.split(/:? /) as [string, ...string[]]
    for (const word of words) lists.getOrInsertComputed(word, () => new Set()).add(list)
  }
  return (list, word) => lists.get(word)?.has(list) ?? false
}
