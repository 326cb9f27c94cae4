import { appendFile, mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { WordClip } from '#contract/word-clips.ts'

const bucketCount = 64
const flushChars = 4 * 1024 * 1024

/**
 * Word→clip items on their way from clips to words: put down clip by clip, taken up word by word. They go through files, a
 * bucket for every 64th word, so that memory holds one bucket and not the corpus.
 */
export class WordSpool {
  readonly #folder: string
  readonly #pending: string[][] = Array.from({ length: bucketCount }, () => [])
  #pendingChars = 0
  readonly #used = new Set<number>()

  constructor(folder: string) {
    this.#folder = folder
  }

  async put(wordId: number, item: WordClip): Promise<void> {
    const line = `${wordId}\t${JSON.stringify(item)}\n`
    this.#pending[wordId % bucketCount]!.push(line)
    this.#pendingChars += line.length
    if (this.#pendingChars > flushChars) await this.#flush()
  }

  /** Every word that has items, with all of them; words of one bucket after another. */
  async *words(): AsyncGenerator<{ wordId: number; items: WordClip[] }> {
    await this.#flush()
    for (const bucket of [...this.#used].sort((a, b) => a - b)) {
      const items = new Map<number, WordClip[]>()
      for (const line of (await readFile(this.#path(bucket), 'utf8')).split('\n')) {
        if (line === '') continue
        const tab = line.indexOf('\t')
        const wordId = Number(line.slice(0, tab))
        const item = JSON.parse(line.slice(tab + 1)) as WordClip
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
