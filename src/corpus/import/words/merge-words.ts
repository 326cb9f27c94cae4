import { glosses, type Meanings } from '#contract/glosses.ts'
import { levels, type Level } from '#contract/levels.ts'
import type { CatalogueLine } from '../../catalogue-word.ts'
import { caseKey } from '#language/lower-case.ts'
import type { WordListRow } from './word-list.ts'

/** A word for which list and catalogue, or two rows of the list, have different levels. */
interface LevelConflict {
  word: string
  kept: Level
  other: Level
}

/**
 * Merges a word list into the catalogue of its language. Words are compared ignoring case. The list
 * adds the meanings and forms that the catalogue lacks, and changes nothing else. With `overwrite`,
 * its levels and meanings replace those of the catalogue. Returns the lines of the catalogue, how
 * many the list added, changed or left unchanged, and the rows of new words without a level.
 *
 * Rows of the same word become one: with the lowest level, because learners meet the easiest sense
 * first, the first meaning in each language, and all forms.
 */
export function mergeWords(
  catalogue: readonly CatalogueLine[],
  list: readonly WordListRow[],
  { language, nextId, overwrite }: { language: string; nextId: number; overwrite: boolean },
) {
  const conflicts: LevelConflict[] = []
  const compare = (word: string, existing: Level | undefined, other: Level | undefined) => {
    if (existing && other && existing !== other) conflicts.push({ word, kept: existing, other })
  }
  const rows = new Map<string, WordListRow>()
  for (const row of list) {
    const key = caseKey(row.word, language)
    const first = rows.get(key)
    const level = levels.find((each) => each === row.level || each === first?.level)
    if (first) compare(first.word, level, level === first.level ? row.level : first.level)
    rows.set(key, first ? { ...first, level, ...unite(first, row) } : row)
  }
  const counts = { added: 0, changed: 0, unchanged: 0 }
  const lines = catalogue.map((line) => {
    const key = caseKey(line.word, language)
    const row = rows.get(key)
    rows.delete(key)
    if (!row) return line
    const level = (overwrite && row.level) || line.level
    compare(line.word, level, overwrite ? line.level : row.level)
    const { forms } = unite(line, row)
    const { meanings } = overwrite ? unite(row, line) : unite(line, row)
    const mergedLine = tidy({ ...line, level, meanings, forms }, language)
    const isSame = JSON.stringify(mergedLine) === JSON.stringify(line)
    counts[isSame ? 'unchanged' : 'changed']++
    return isSame ? line : mergedLine
  })
  const withoutLevel: WordListRow[] = []
  for (const { line, word, level, ...row } of rows.values()) {
    if (level) lines.push(tidy({ wordId: nextId + counts.added++, word, level, ...row }, language))
    else withoutLevel.push({ line, word, ...row })
  }
  return { lines, ...counts, withoutLevel, conflicts }
}

type Entry = Pick<CatalogueLine, 'meanings' | 'forms'>

/** Combines two entries; of two meanings in one language, the first is used. */
function unite(first: Entry, second: Entry): Entry {
  const meanings = { ...second.meanings, ...first.meanings }
  return { meanings, forms: [...first.forms, ...second.forms] }
}

/**
 * Returns a line with its fields and meanings in order, and only those forms that differ from each
 * other and from the headword in more than case.
 */
function tidy(line: CatalogueLine, language: string): CatalogueLine {
  const { word, meanings, forms } = line
  const keys = new Set([caseKey(word, language)])
  const distinct = forms.filter((form) => {
    const key = caseKey(form, language)
    return !keys.has(key) && keys.add(key)
  })
  const meaningGlosses = glosses.filter((gloss) => meanings[gloss] !== undefined)
  const inOrder: Meanings = Object.fromEntries(meaningGlosses.map((gloss) => [gloss, meanings[gloss]]))
  return { ...line, meanings: inOrder, forms: distinct }
}
