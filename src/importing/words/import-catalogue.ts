import { join } from 'node:path'
import { catalogueLineSchema, type CatalogueLine } from '#corpus/catalogue-word.ts'
import { parseRecord } from '#corpus/parse-record.ts'
import type { Catalogue } from '#corpus/read-catalogue.ts'
import { readTexts } from '#corpus/read-texts.ts'
import { atomicWrite } from '#kit/atomic-write.ts'
import { CueTally } from '../cue-tally.ts'
import { decodeText } from '../formats/decode-text.ts'
import { readBytes } from '../read-bytes.ts'
import { Rejection } from '../rejection.ts'
import { mergeWords } from './merge-words.ts'
import { parseWordList } from './word-list.ts'

/**
 * Merges a word list (see `parseWordList`) into `catalogue/<language>.jsonl` of a source corpus, by
 * the rules of `mergeWords`. New words are numbered from the highest `wordId` of the folder. Lines
 * that do not change keep their bytes, and the file is written only if something changed.
 *
 * @param list the path of the list
 * @param shown the name of the list in problems
 * @param catalogue what `readCatalogue` gives for the corpus, without problems
 * @throws {Rejection} the list is not a CSV of that form
 */
export async function importCatalogue(
  list: string,
  shown: string,
  catalogue: Catalogue,
  { corpus, language, overwrite }: { corpus: string; language: string; overwrite: boolean },
) {
  const bytes = await readBytes(list)
  refuseOtherFormats(bytes)
  const { text } = decodeText(bytes, language, new CueTally())
  const { words, problems } = parseWordList(text, shown)
  const nextId = [...catalogue.values()].flat().reduce((next, { wordId }) => Math.max(next, wordId + 1), 1)
  const file = `catalogue/${language}.jsonl`
  const known = catalogue.has(language) ? readKnown(corpus, file) : new Map<CatalogueLine, string>()
  const { lines, withoutLevel, ...merged } = mergeWords([...known.keys()], words, {
    language,
    nextId,
    overwrite,
  })
  for (const { line, word } of withoutLevel)
    problems.push({ file: shown, line, reason: `"${word}" is new and has no level` })
  if (merged.added + merged.changed > 0) {
    const texts = lines.map((line) => known.get(line) ?? JSON.stringify(line))
    await atomicWrite(join(corpus, file), `${texts.join('\n')}\n`, { sync: false })
  }
  return { ...merged, rejected: problems.length, problems }
}

/** @throws {Rejection} the file is of a kind that people take for a list */
function refuseOtherFormats(bytes: Uint8Array): void {
  const start = String.fromCharCode(...bytes.subarray(0, 5))
  const kinds: [string, string][] = [
    ['%PDF-', 'a PDF'],
    ['PK\x03\x04', 'a spreadsheet or another archive'],
    ['\xd0\xcf\x11\xe0', 'an old Office file'],
    ['{\\rtf', 'an RTF file'],
  ]
  const kind = kinds.find(([magic]) => start.startsWith(magic))?.[1]
  if (kind) throw new Rejection(`is ${kind}, not a CSV: save the list as CSV with a column "word"`)
}

/** The lines of a valid catalogue file, each with its text. */
function readKnown(corpus: string, file: string): Map<CatalogueLine, string> {
  const known = new Map<CatalogueLine, string>()
  for (const { text } of readTexts(corpus, file)) {
    const parsed = parseRecord(catalogueLineSchema, text!)
    if (parsed.ok) known.set(parsed.value, text!)
  }
  return known
}
