import { levelRank, type Level } from '#contract/levels.ts'
import { glosses, type Meanings } from '#contract/glosses.ts'
import type { CatalogueLine } from '#corpus/catalogue-word.ts'
import { caseKey } from '#language/lower-case.ts'
import type { WordListRow } from './word-list.ts'

/** A word for which list and catalogue, or two rows of the list, have different levels. */
export interface LevelConflict {
  word: string
  kept: Level
  other: Level
}

interface MergeResult {
  lines: CatalogueLine[]
  added: number
  /** Words of the catalogue that gained a meaning, a form or (when overwriting) a level. */
  changed: number
  unchanged: number
  /** Rows of new words without a level. */
  withoutLevel: WordListRow[]
  conflicts: LevelConflict[]
}

/**
 * Merges a word list into the catalogue of its language. Words are compared ignoring case. The list
 * adds the meanings and forms that the catalogue lacks, and changes nothing else. With `overwrite`,
 * its levels and meanings replace those of the catalogue.
 *
 * Rows of the same word become one: with the lowest level, because learners meet the easiest sense
 * first, the first meaning in each language, and all forms.
 */
export function mergeWords(
  catalogue: readonly CatalogueLine[],
  list: readonly WordListRow[],
  options: { language: string; nextId: number; overwrite: boolean },
): MergeResult {
  const { language, overwrite } = options
  const merged: MergeResult = {
    lines: [],
    added: 0,
    changed: 0,
    unchanged: 0,
    withoutLevel: [],
    conflicts: [],
  }
  const rows = new Map<string, WordListRow>()
  for (const row of list) {
    const key = caseKey(row.word, language)
    const first = rows.get(key)
    rows.set(key, first ? unite(first, row, merged) : { ...row, forms: [...row.forms] })
  }
  for (const line of catalogue) {
    const key = caseKey(line.word, language)
    const row = rows.get(key)
    rows.delete(key)
    const filled = row ? fill(line, row, language, overwrite, merged) : line
    const isSame = JSON.stringify(filled) === JSON.stringify(line)
    if (row) merged[isSame ? 'unchanged' : 'changed']++
    merged.lines.push(isSame ? line : filled)
  }
  let { nextId } = options
  for (const row of rows.values()) {
    if (row.level === undefined) merged.withoutLevel.push(row)
    else {
      const { word, level, meanings } = row
      const forms = distinct(row.forms, word, language)
      merged.lines.push({ wordId: nextId++, word, level, meanings: inOrder(meanings), forms })
      merged.added++
    }
  }
  return merged
}

function unite(first: WordListRow, row: WordListRow, merged: MergeResult): WordListRow {
  const easiest = [first.level, row.level]
    .filter((level) => level !== undefined)
    .toSorted((a, b) => levelRank(a) - levelRank(b))[0]
  if (first.level && row.level && first.level !== row.level) {
    const other = easiest === first.level ? row.level : first.level
    merged.conflicts.push({ word: first.word, kept: easiest!, other })
  }
  for (const form of row.forms) first.forms.push(form)
  const meanings = { ...row.meanings, ...first.meanings }
  return { ...first, ...(easiest && { level: easiest }), meanings }
}

function fill(
  line: CatalogueLine,
  row: WordListRow,
  language: string,
  overwrite: boolean,
  merged: MergeResult,
): CatalogueLine {
  const level = overwrite && row.level ? row.level : line.level
  if (row.level && row.level !== line.level)
    merged.conflicts.push({ word: line.word, kept: level, other: overwrite ? line.level : row.level })
  const meanings = overwrite ? { ...line.meanings, ...row.meanings } : { ...row.meanings, ...line.meanings }
  const forms = distinct([...line.forms, ...row.forms], line.word, language)
  return { ...line, level, meanings: inOrder(meanings), forms }
}

function inOrder(meanings: Meanings): Meanings {
  return Object.fromEntries(
    glosses.filter((gloss) => meanings[gloss] !== undefined).map((gloss) => [gloss, meanings[gloss]]),
  )
}

/** The forms that differ from each other and from the headword in more than case. */
function distinct(forms: readonly string[], word: string, language: string): string[] {
  const seen = new Set([caseKey(word, language)])
  return forms.filter((form) => {
    const key = caseKey(form, language)
    return !seen.has(key) && seen.add(key)
  })
}
