import { readDataLines } from './data-file.ts'

const lines = readDataLines('commonly-in-kana.txt')

function kanaOf(words: readonly string[]): ReadonlyMap<string, string> {
  return new Map(words.map((line) => line.split(' ', 2) as [string, string]))
}

/** Japanese words that are usually written in kana, by how catalogues often write them. */
export const commonlyInKana = kanaOf(lines)

/** Those that nearly always say these words. */
export const nearlyAlwaysInKana = kanaOf(lines.filter((line) => line.endsWith(' always')))
