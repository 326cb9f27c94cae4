import { stat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastGlob from 'fast-glob'
import { maxRecordBytes, readLines } from './read-lines.ts'

/** The text of one source clip and where it stands; `text` is null where it cannot be text, with the reason and perhaps its bytes as latin1. */
export type ClipText = { file: string; line?: number } & (
  { text: string } | { text: null; reason: string; raw?: string }
)

/**
 * Reads the clips of a source corpus, `clips/**` by path and line, one text at a time: a `.jsonl` of any size is streamed.
 *
 * @throws the error of the file system where a file cannot be read
 */
export async function* readClips(corpusFolder: string): AsyncGenerator<ClipText> {
  const files = await fastGlob('clips/**/*.{json,jsonl}', { cwd: corpusFolder, onlyFiles: true })
  for (const file of files.sort()) {
    if (file.endsWith('.jsonl')) yield* readJsonLines(corpusFolder, file)
    else yield await readWhole(corpusFolder, file)
  }
}

async function* readJsonLines(corpusFolder: string, file: string): AsyncGenerator<ClipText> {
  let empty = true
  for await (const item of readLines(join(corpusFolder, file))) {
    if (item.text?.trim() === '') continue
    empty = false
    yield { file, ...item }
  }
  if (empty) yield { file, text: null, reason: 'is empty' }
}

async function readWhole(corpusFolder: string, file: string): Promise<ClipText> {
  const path = join(corpusFolder, file)
  if ((await stat(path)).size > maxRecordBytes)
    return { file, text: null, reason: `is larger than ${maxRecordBytes} bytes` }
  const bytes = await readFile(path)
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.trim() === '' ? { file, text: null, reason: 'is empty' } : { file, text }
  } catch {
    return { file, text: null, reason: 'is not UTF-8', raw: bytes.toString('latin1') }
  }
}
