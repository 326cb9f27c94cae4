import { glosses, type Gloss } from '#contract/glosses.ts'
import { levels } from '#contract/levels.ts'
import { readDataRows } from '#language/analysers/data-file.ts'
import { columnName, type Table } from '../read-csv.ts'
import { parseLevel } from './parse-level.ts'

type Kind = 'word' | 'level' | 'scale' | 'forms' | 'reading' | 'tags' | `meaning_${Gloss}`

/** The names of the columns of each kind, the preferred one first. */
const namesByKind = new Map<string, string[]>()
for (const [kind, ...names] of readDataRows('columns.txt', import.meta.dirname))
  namesByKind.getOrInsertComputed(kind, () => []).push(...names)

/** The languages in which a column's name can name a language, as in "Deutsch" or "German". */
const namingLanguages = ['en', 'es', 'pt', 'tr', 'ru', 'zh', 'ja', 'de', 'fr', 'it', 'nl', 'pl', 'ko', 'sv']

/** Returns the names of a language that columns can have. */
function languageNames(language: string): string[] {
  return namingLanguages.map((naming) => {
    const names = new Intl.DisplayNames(naming, { type: 'language' })
    return columnName(names.of(language) ?? language)
  })
}

/** The columns of a word list, by their names or, for a column of only levels, by its cells. */
export class ListColumns {
  readonly word: string | undefined
  readonly level: string | undefined
  readonly tags: string | undefined
  readonly forms: string[]
  /** The reason why a word has no level. */
  readonly noLevel: string
  readonly meanings: readonly (readonly [Gloss, string])[]

  /** `word` is the column of words if its name does not say so. */
  constructor({ columns, rows }: Table, language: string, word?: string) {
    const namesOf = (kind: Kind) => (namesByKind.get(kind) ?? []).filter((name) => columns.includes(name))
    const ownNames = languageNames(language).filter((name) => columns.includes(name))
    this.word = word ?? namesOf('word')[0] ?? ownNames[0]
    this.level = namesOf('level')[0] ?? columns.find((name) => hasOnlyLevels(rows, name))
    this.tags = namesOf('tags')[0]
    const [scale] = namesOf('scale')
    const noColumn =
      scale === undefined
        ? 'the list has no column "level"'
        : `the levels in the column "${scale}" have no official equivalents among ${levels.join(', ')}`
    const hasColumn = this.level !== undefined || this.tags !== undefined
    this.noLevel = hasColumn ? ' and has no level' : `, and ${noColumn}`
    const readings = language === 'ja' ? namesOf('reading') : []
    this.forms = [...namesOf('forms'), ...readings].filter((name) => name !== this.word)
    const others = columns.filter((name) => name !== this.word)
    this.meanings = meaningColumns(others, language)
  }
}

/**
 * The columns of meanings: those with a name of `columns.txt` or of their language, or with the
 * name of the language in theirs ("Traduction anglaise"). A column for a translation into the
 * language of the words themselves contains English.
 */
function meaningColumns(columns: readonly string[], language: string): [Gloss, string][] {
  const meanings = glosses.flatMap((gloss): [Gloss, string][] => {
    const languages = gloss === language ? [] : languageNames(gloss)
    const names = [...(namesByKind.get(`meaning_${gloss}`) ?? []), ...languages]
    const isNamed = (column: string) => languages.some((name) => name.length > 4 && column.includes(name))
    const name = names.find((each) => columns.includes(each)) ?? columns.find(isNamed)
    return name === undefined ? [] : [[gloss, name]]
  })
  const hasEnglish = language === 'en' || meanings.some(([gloss]) => gloss === 'en')
  return meanings.map(([gloss, name]) => [gloss === language && !hasEnglish ? 'en' : gloss, name])
}

function hasOnlyLevels(rows: Table['rows'], column: string): boolean {
  const cells = rows.map(({ record }) => record[column] ?? '').filter((cell) => cell !== '')
  return cells.length > 0 && cells.every((cell) => parseLevel(cell) !== undefined)
}
