import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SourceCorpus } from '../model/source.ts'

/** Writes a corpus as a source folder, with one clip per file, in the given order. */
export async function writeSourceFolder(folder: string, corpus: SourceCorpus): Promise<void> {
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  await mkdir(join(folder, 'clips'), { recursive: true })
  for (const [language, words] of Object.entries(corpus.catalogues))
    await write(`catalogue/${language}.jsonl`, words.map((word) => JSON.stringify(word) + '\n').join(''))
  for (const [language, forms] of Object.entries(corpus.forms))
    await write(`forms/${language}.tsv`, forms.map(([form, headword]) => `${form}\t${headword}\n`).join(''))
  for (const [i, clip] of corpus.clips.entries())
    await write(`clips/${String(i).padStart(4, '0')}.json`, JSON.stringify(clip))
}
