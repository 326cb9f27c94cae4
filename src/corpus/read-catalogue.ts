import { join, parse as parsePath } from 'node:path'
import { caseKey } from '#language/lower-case.ts'
import { catalogueLineSchema, maxForms, type CatalogueWord } from './catalogue-word.ts'
import { parseRecord, type Problem } from './problem.ts'
import { readTexts } from './read-texts.ts'
import { spellingFault } from './text-bounds.ts'
import { namesIn } from '#kit/not-found.ts'

/** How many words may share a form: a token with that spelling counts for all of them. */
const maxSharedBy = 50

/** The words of the catalogue, keyed by language, in the order of their files. */
export type Catalogue = Map<string, CatalogueWord[]>

/**
 * Reads `catalogue/*.jsonl` and `forms/*.tsv` of a source corpus.
 *
 * Every fault is collected. A catalogue with any fault is broken, and the build must stop. A form
 * whose headword the catalogue lacks is only a warning, because forms files are often made from
 * larger lists. If a forms file has more than `maxWarnings` such forms, only the first ones are
 * listed, after a warning with the number of all of them.
 *
 * @param draft a file in `catalogue/` with the lines to be written to it, which are read in place
 *   of its current lines
 */
export async function readCatalogue(
  corpusFolder: string,
  { maxWarnings = 100, draft }: { maxWarnings?: number; draft?: Draft } = {},
): Promise<{ catalogue: Catalogue; problems: Problem[]; warnings: Problem[] }> {
  const reader = new CatalogueReader(corpusFolder, maxWarnings)
  for (const file of await filesIn(corpusFolder, 'catalogue'))
    if (file !== draft?.file) reader.readWords(file)
  if (draft) reader.readWords(draft.file, draft.texts)
  for (const file of await filesIn(corpusFolder, 'forms')) reader.readForms(file)
  return { catalogue: reader.catalogue, problems: reader.problems, warnings: reader.warnings }
}

export interface Draft {
  file: string
  texts: readonly string[]
}

/** Returns the files in a folder of a corpus, by path. */
export async function filesIn(corpusFolder: string, folder: 'catalogue' | 'forms'): Promise<string[]> {
  const names = await namesIn(join(corpusFolder, folder))
  return names
    .filter((name) => !name.startsWith('.'))
    .sort()
    .map((name) => `${folder}/${name}`)
}

class CatalogueReader {
  readonly catalogue: Catalogue = new Map()
  readonly problems: Problem[] = []
  readonly warnings: Problem[] = []
  readonly #corpusFolder: string
  readonly #maxWarnings: number
  /** The place at which each wordId was first seen. */
  readonly #ids = new Map<number, string>()
  /** The entries, keyed by language and headword, ignoring case. */
  readonly #headwords = new Map<string, CatalogueWord>()
  /** The number of words that have each form, keyed by language and form, ignoring case. */
  readonly #sharedBy = new Map<string, number>()
  /** The spellings of the words, ignoring case. */
  readonly #spellings = new Map<CatalogueWord, Set<string>>()

  constructor(corpusFolder: string, maxWarnings: number) {
    this.#corpusFolder = corpusFolder
    this.#maxWarnings = maxWarnings
  }

  readWords(file: string, draft?: readonly string[]): void {
    const language = this.#languageOf(file, 'jsonl')
    if (language === null) return
    this.catalogue.set(language, [])
    const lines = draft?.values().map((text, i) => ({ line: i + 1, text })) ?? this.#lines(file)
    for (const { line, text } of lines) {
      const result = parseRecord(catalogueLineSchema, text)
      if (result.ok) this.#add(file, line, { ...result.value, language })
      else {
        const { ok: _, ...fault } = result
        this.problems.push({ file, line, ...fault })
      }
    }
  }

  #add(file: string, line: number, entry: CatalogueWord): void {
    const key = keyOf(entry.word, entry.language)
    const sameId = this.#ids.get(entry.wordId)
    const sameWord = this.#headwords.get(key)
    if (sameId !== undefined) {
      const reason = `${entry.wordId} is already used in ${sameId}`
      this.problems.push({ file, line, field: 'wordId', reason })
    } else if (sameWord) {
      const reason = `"${entry.word}" is already in the catalogue, with the wordId ${sameWord.wordId} (case is ignored)`
      this.problems.push({ file, line, field: 'word', reason })
    } else {
      this.#ids.set(entry.wordId, `${file}:${line}`)
      this.#headwords.set(key, entry)
      this.catalogue.get(entry.language)!.push(entry)
      const { forms } = entry
      entry.forms = []
      this.#spellings.set(entry, new Set([key]))
      for (const form of forms) this.#addForm(file, line, entry, form)
    }
  }

  readForms(file: string): void {
    const language = this.#languageOf(file, 'tsv')
    if (language === null) return
    const problems: Problem[] = []
    let count = 0
    for (const { line, text } of this.#lines(file)) {
      const [form, headword, ...more] = text.split('\t', 3).map(normalise)
      if (!form || !headword || more.length > 0) {
        this.problems.push({ file, line, reason: 'the line must consist of a form, a TAB and a headword' })
        continue
      }
      const formFault = spellingFault(form)
      const fault = formFault ?? spellingFault(headword)
      if (fault !== null) {
        const field = formFault === null ? 'headword' : 'form'
        this.problems.push({ file, line, field, reason: fault })
        continue
      }
      const entry = this.#headwords.get(keyOf(headword, language))
      if (entry) this.#addForm(file, line, entry, form)
      else if (++count <= this.#maxWarnings)
        problems.push({ file, line, reason: `the catalogue has no headword "${headword}"` })
    }
    if (count > problems.length) {
      const reason = `${count} lines name a headword that is not in the catalogue. These are the first ${problems.length}`
      this.warnings.push({ file, reason })
    }
    for (const warning of problems) this.warnings.push(warning)
  }

  /** Adds a form unless the word already has it. */
  #addForm(file: string, line: number, word: CatalogueWord, form: string): void {
    const key = keyOf(form, word.language)
    const spellings = this.#spellings.get(word)!
    if (spellings.has(key)) return
    const sharedBy = (this.#sharedBy.get(key) ?? 0) + 1
    if (spellings.size > maxForms) {
      this.problems.push({ file, line, reason: `"${word.word}" has more than ${maxForms} forms` })
    } else if (sharedBy > maxSharedBy) {
      const reason = `contains "${form}", which is a form of more than ${maxSharedBy} words`
      this.problems.push({ file, line, field: 'forms', reason })
    } else {
      spellings.add(key)
      this.#sharedBy.set(key, sharedBy)
      word.forms.push(form)
    }
  }

  #languageOf(file: string, extension: string): string | null {
    const { dir, name, ext } = parsePath(file)
    if (ext === `.${extension}` && /^[a-z]{2}$/.test(name)) return name
    this.problems.push({ file, reason: `the file must be named ${dir}/<two-letter language>.${extension}` })
    return null
  }

  /** Yields the lines that are not blank. Lines that are not text become problems. */
  *#lines(file: string): Generator<{ line: number; text: string }> {
    for (const { line, ...entry } of readTexts(this.#corpusFolder, file)) {
      if (entry.text === null)
        this.problems.push({ file, ...(line === undefined ? {} : { line }), reason: entry.reason })
      else yield { line: line!, text: entry.text }
    }
  }
}

/** Returns the key of a spelling in a language, ignoring case. */
function keyOf(spelling: string, language: string): string {
  return `${language} ${caseKey(spelling, language)}`
}

/** Normalises to NFC and trims, unless a text is so long that normalising could take minutes. */
function normalise(cell: string): string {
  return spellingFault(cell) === null ? cell.normalize('NFC').trim() : cell
}
