import type { FeedClip } from '#contract/clip.ts'
import type { Meanings } from '#contract/glosses.ts'
import type { Level } from '#contract/levels.ts'

/** A file under `data/`: its name, and the digest of its bytes, which is also its entity tag. */
export interface DataFile {
  path: string
  digest: string
}

/** The focus word of a clip for one band: the word and where it is first said, in seconds. */
export type Focus = [wordId: number, tStart: number] | null

/** A line of `clips.jsonl`: a clip in the release. */
export interface ClipRow {
  /** Fixed for ever within the language: what the feed's order is made over. */
  ordinal: number
  clip: FeedClip
  record: DataFile
  transcript: DataFile
  /** By band, A2 to C2. */
  focus: Focus[]
}

/** A line of `words.jsonl`: a word of the catalogue, with clips or not. */
export interface WordRow {
  wordId: number
  language: string
  word: string
  level: Level
  meanings: Meanings
  forms: string[]
  /** Clips that say it, by their level, A1 to C2: the ranges of the list, which is sorted by level first. */
  clipsByLevel: number[]
  /** The list of its clips, easiest first, in pages of `itemsPerPage`. */
  pages: DataFile[]
}

/** How many items a page of a published word→clips list holds; the last may hold fewer. */
export const itemsPerPage = 500

/** The rows of a table as text: one JSON object a line. */
export function formatRows(rows: readonly (ClipRow | WordRow)[]): string {
  return rows.map((row) => JSON.stringify(row) + '\n').join('')
}

/** @throws {SyntaxError} with the line that is no row */
export function parseRows<Row>(text: string, path: string): Row[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line, i) => {
      try {
        return JSON.parse(line) as Row
      } catch (error) {
        throw new SyntaxError(`cannot open "${path}": line ${i + 1} is no row (${(error as Error).message})`)
      }
    })
}
