import { glosses } from '#contract/glosses.ts'
import { levels, levelRank } from '#contract/levels.ts'
import { codeNumber, writeTable } from '../table-file.ts'
import { TextColumnWriter } from '../text-column.ts'
import { meaningColumn, tableName, type WordRow } from './layout.ts'

/** The pieces of the file. The words are in the order of `byRow`. */
export function writeWordTable(words: readonly WordRow[]): Uint8Array[] {
  const shown = new TextColumnWriter()
  const forms = new TextColumnWriter()
  const meanings = glosses.map((gloss) => ({ gloss, column: new TextColumnWriter() }))
  for (const word of words) {
    const { wordId, level } = word
    shown.add(`{"word":${JSON.stringify(word.word)},"wordId":${wordId},"level":"${level}","meaning":"`)
    for (const { gloss, column } of meanings) column.add(withinQuotes(word.meanings[gloss] ?? ''))
    forms.add(JSON.stringify(word.forms))
  }
  const byWordId = Uint32Array.from(words.keys()).sort((a, b) => words[a]!.wordId - words[b]!.wordId)
  return writeTable(tableName, {
    languages: languagesOf(words),
    wordIds: Uint32Array.from(words, ({ wordId }) => wordId),
    sortedIds: byWordId.map((row) => words[row]!.wordId),
    byWordId,
    levels: Uint8Array.from(words, ({ level }) => levelRank(level)),
    ...shown.finish('shown'),
    glosses: Buffer.from(glosses.join(' ')),
    ...Object.assign({}, ...meanings.map(({ gloss, column }) => column.finish(meaningColumn(gloss)))),
    ...forms.finish('forms'),
    ...listSections(words),
  })
}

function withinQuotes(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function languagesOf(words: readonly WordRow[]): Uint32Array {
  const languages: { code: string; first: number; clipsEnd: number }[] = []
  for (const [row, { language, list }] of words.entries()) {
    if (languages.at(-1)?.code !== language) languages.push({ code: language, first: row, clipsEnd: row })
    if (list) languages.at(-1)!.clipsEnd = row + 1
  }
  return Uint32Array.from(
    languages.flatMap(({ code, first, clipsEnd }) => [codeNumber(code), first, clipsEnd]),
  )
}

/** The lists of the words, and their pages one after another. */
function listSections(words: readonly WordRow[]) {
  const clipsByLevel = new Uint32Array(words.length * levels.length)
  const pageAt = new Uint32Array(words.length + 1)
  const pageEnds: number[] = []
  const digests: string[] = []
  for (const [row, { list }] of words.entries()) {
    clipsByLevel.set(list?.clipsByLevel ?? [], row * levels.length)
    let end = 0
    for (const { count, digest } of list?.pages ?? []) {
      pageEnds.push((end += count))
      digests.push(digest)
    }
    pageAt[row + 1] = pageEnds.length
  }
  return {
    clipsByLevel,
    pageAt,
    pageEnds: Uint32Array.from(pageEnds),
    pageDigests: Buffer.from(digests.join(''), 'base64url'),
  }
}
