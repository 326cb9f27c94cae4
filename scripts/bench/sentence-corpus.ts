import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { v5 as uuidV5 } from 'uuid'
import { seededRandom } from '#kit/seeded-random.ts'
import { searchFold } from '#language/search-fold.ts'
import { segment } from '#language/segment.ts'

const tokensPerClip = 150
const random = seededRandom(11)
const below = (count: number) => Math.floor(random() * count)

/** The sentences of all English subtitle files below a folder, each as folded tokens. */
export function readSentences(root: string): string[][] {
  const found: string[][] = []
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!/english.*\.srt$|\/en\/.*\.srt$/i.test(name)) continue
    const text = readFileSync(join(root, name), 'utf8').replace(/^\d+$|^.*-->.*$/gm, '')
    for (const sentence of text.split(/[.!?…]/)) {
      const tokens = segment(sentence, 'en').map(({ text }) => searchFold(text, 'en'))
      if (tokens.length > 0) found.push(tokens)
    }
  }
  return found
}

/** A clip of 150 tokens or a few more: sentences in their order, '' between them. */
export function makeClip(ordinal: number, sentences: readonly string[][]) {
  const lines: string[] = []
  for (let at = below(sentences.length); lines.length < tokensPerClip; at = (at + 1) % sentences.length)
    lines.push(...sentences[at]!, '')
  return { ordinal, clipId: uuidV5(`https://example.com/${ordinal}`, uuidV5.URL), level: below(6), lines }
}

/** Phrases of 1 to 5 tokens, cut out of sentences. */
export function makePhrases(count: number, sentences: readonly string[][]): string[][] {
  return Array.from({ length: count }, () => {
    const sentence = sentences[below(sentences.length)]!
    const from = below(sentence.length)
    return sentence.slice(from, from + 1 + below(5))
  })
}

/** The words that are said most, alone and in phrases: the most work that a query can be. */
export const functionWords = 'the, of the, and the, in the, it is, that is the, to be, a, this is a'
  .split(', ')
  .map((text) => text.split(' '))

/**
 * By token the numbers of the words that it is a form of, by `lemmas/lemma.en.txt`. Words that
 * occur less than once in a million are left out.
 */
export function readWords(root: string): Map<string, number[]> {
  const words = new Map<string, number[]>()
  const lines = readFileSync(join(root, 'lemmas', 'lemma.en.txt'), 'utf8').split('\n')
  for (const [number, line] of lines.entries()) {
    const [, lemma, frequency, forms] = /^([^;/]+)\/(\d+) -> (.+)$/.exec(line.trim()) ?? []
    if (lemma === undefined || Number(frequency) < 100) continue
    const spellings = [lemma, ...forms!.split(',')].map((text) => searchFold(text, 'en'))
    for (const spelling of new Set(spellings)) words.getOrInsertComputed(spelling, () => []).push(number)
  }
  return words
}
