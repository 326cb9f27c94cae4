import { appendFile, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readLines } from '#corpus/read-lines.ts'

const bucketCount = 256
const flushChars = 16 * 1024 * 1024

/** An item of a word's list: its JSON, and the text that it is sorted by, neither with a tab or a line break in it. */
export interface SpooledItem {
  key: string
  text: string
}

/**
 * Word→clip items on their way from clips to words: put down clip by clip, taken up word by word. They go through files, a
 * bucket for every 256th word, so that memory holds one bucket and not the corpus.
 */
export class WordSpool {
  readonly #folder: string
  readonly #pending: string[][] = Array.from({ length: bucketCount }, () => [])
  #pendingChars = 0
  readonly #used = new Set<number>()

  constructor(folder: string) {
    this.#folder = folder
  }

  async put(wordId: number, { key, text }: SpooledItem): Promise<void> {
    const line = `${wordId}\t${key}\t${text}\n`
    this.#pending[wordId % bucketCount]!.push(line)
    this.#pendingChars += line.length
    if (this.#pendingChars > flushChars) await this.#flush()
  }

  /** Every word that has items, with all of them; words of one bucket after another. */
  async *words(): AsyncGenerator<{ wordId: number; items: SpooledItem[] }> {
    await this.#flush()
    for (const bucket of [...this.#used].sort((a, b) => a - b)) {
      const items = new Map<number, SpooledItem[]>()
      // Line by line: the words of one bucket may take more than a text can hold.
      for await (const { text } of readLines(this.#path(bucket))) {
        const line = text!
        const tab = line.indexOf('\t')
        const wordId = Number(line.slice(0, tab))
        const keyEnd = line.indexOf('\t', tab + 1)
        const item = { key: line.slice(tab + 1, keyEnd), text: line.slice(keyEnd + 1) }
        const others = items.get(wordId)
        if (others) others.push(item)
        else items.set(wordId, [item])
      }
      for (const wordId of [...items.keys()].sort((a, b) => a - b))
        yield { wordId, items: items.get(wordId)! }
    }
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }

  async #flush(): Promise<void> {
    await mkdir(this.#folder, { recursive: true })
    for (const [bucket, lines] of this.#pending.entries()) {
      if (lines.length === 0) continue
      await appendFile(this.#path(bucket), lines.join(''))
      this.#used.add(bucket)
      this.#pending[bucket] = []
    }
    this.#pendingChars = 0
  }

  #path(bucket: number): string {
    return join(this.#folder, `${bucket}.tsv`)
  }
}
