import { join } from 'node:path'
import { catalogueLineSchema, type CatalogueLine } from '../../catalogue-word.ts'
import { formatProblem, type Problem } from '../../problem.ts'
import { readCatalogue, type Catalogue } from '../../read-catalogue.ts'
import { readTexts } from '../../read-texts.ts'
import { atomicWrite } from '#kit/atomic-write.ts'
import { CueTally } from '../cue-tally.ts'
import { decodeText } from '../formats/decode-text.ts'
import { readBytes } from '../read-bytes.ts'
import { Rejection } from '../rejection.ts'
import { mergeWords } from './merge-words.ts'
import { parseWordList } from './word-list.ts'

/** The beginnings of files that people mistake for lists. */
const otherKinds = {
  '%PDF-': 'a PDF',
  'PK\x03\x04': 'a spreadsheet or another archive',
  '\xd0\xcf\x11\xe0': 'an old Office file',
  '{\\rtf': 'an RTF file',
}

/** The maximum size. The largest dictionaries have 120 MB. */
const maxListBytes = 2 ** 28

/**
 * Merges a word list (see `parseWordList`) into `catalogue/<language>.jsonl` of a source corpus, by
 * the rules of `mergeWords`. New words get numbers above the highest `wordId` of the folder.
 * Unchanged lines keep their bytes, changed ones their further fields, and the file is written only
 * if something changed.
 *
 * @param list the path of the list
 * @param path the name of the list in problems
 * @param catalogue the result of `readCatalogue` for the corpus, without problems
 * @throws {Rejection} the list has no known form, or would make the catalogue invalid
 */
export async function importCatalogue(
  list: string,
  path: string,
  catalogue: Catalogue,
  { corpus, language, overwrite }: { corpus: string; language: string; overwrite: boolean },
) {
  const bytes = await readBytes(list, maxListBytes)
  const start = String.fromCharCode(...bytes.subarray(0, 5))
  const other = Object.entries(otherKinds).find(([magic]) => start.startsWith(magic))
  if (other) throw new Rejection(`is ${other[1]}, not a CSV file. Save the list as CSV with a column "word"`)
  const { text } = decodeText(bytes, language, new CueTally())
  const { words, problems, noLevel } = parseWordList(text, path, language)
  const nextId = [...catalogue.values()].flat().reduce((next, { wordId }) => Math.max(next, wordId + 1), 1)
  const file = `catalogue/${language}.jsonl`
  const texts = catalogue.has(language) ? [...readTexts(corpus, file)].map(({ text }) => text!) : []
  /** The lines of the catalogue, each with its text. */
  const known = new Map(texts.map((text) => [catalogueLineSchema.parse(JSON.parse(text)), text]))
  const { lines, withoutLevel, ...mergeReport } = mergeWords([...known.keys()], words, {
    language,
    nextId,
    overwrite,
  })
  for (const { line, word } of withoutLevel)
    problems.push({ file: path, line, reason: `"${word}" is new${noLevel}` })
  if (mergeReport.added + mergeReport.changed > 0) {
    const textById = new Map(known.entries().map(([{ wordId }, text]) => [wordId, text]))
    const render = (line: CatalogueLine) =>
      JSON.stringify({ ...JSON.parse(textById.get(line.wordId) ?? '{}'), ...line })
    const mergedTexts = lines.map((line) => known.get(line) ?? render(line))
    const { problems: faults } = await readCatalogue(corpus, { draft: { file, texts: mergedTexts } })
    if (faults[0])
      throw new Rejection(`would make the catalogue invalid: ${describe(faults[0], file, lines)}`)
    await atomicWrite(join(corpus, file), `${mergedTexts.join('\n')}\n`, { sync: false })
  }
  return { ...mergeReport, rejected: problems.length, problems }
}

/**
 * Describes a fault of the merged catalogue. A fault in the merged file is located by its word,
 * because the lines of that file are not written yet.
 */
function describe(fault: Problem, file: string, lines: readonly CatalogueLine[]): string {
  if (fault.file !== file) return formatProblem(fault)
  const { line, ...rest } = fault
  return formatProblem({ ...rest, file: `"${lines[line! - 1]!.word}"` })
}
