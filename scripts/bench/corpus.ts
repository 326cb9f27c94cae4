import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { levels } from '#contract/levels.ts'
import { roundTime } from '#kit/round.ts'
import { seededRandom } from '#kit/seeded-random.ts'

/** A seeded source corpus in English. */
export interface SeededCorpus {
  folder: string
  /** The number of words in the catalogue: the most frequent ones. */
  catalogueSize: number
  /** The number of different words that are spoken. */
  vocabularySize: number
  cuesPerClip: number
  wordsPerCue: number
  clipsPerFile: number
}

/** Returns a corpus of clips of six words, with as many catalogue words as clips. */
export function shortClips(folder: string, count: number): SeededCorpus {
  const sizes = { catalogueSize: count, vocabularySize: count }
  return { folder, ...sizes, cuesPerClip: 2, wordsPerCue: 3, clipsPerFile: 100_000 }
}

/** Returns a corpus of one-minute clips of 160 words, each in a file of its own. */
export function longClips(folder: string): SeededCorpus {
  const sizes = { catalogueSize: 9_000, vocabularySize: 36_000 }
  return { folder, ...sizes, cuesPerClip: 20, wordsPerCue: 8, clipsPerFile: 1 }
}

const syllables = [...'bcdfghklmnprstvz', 'ch', 'sh', 'st', 'tr'].flatMap((consonant) =>
  [...'aeiou'].map((vowel) => consonant + vowel),
)

/** Returns the word of a frequency rank: two or more syllables, a different word for each rank. */
export function wordAt(rank: number): string {
  let word = ''
  for (let rest = rank + syllables.length; rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length]!
  return word
}

/** Writes the clips `from … to` of a corpus, and the catalogue with the first clip. */
export function writeCorpus(corpus: SeededCorpus, from: number, to: number): void {
  const { folder, catalogueSize, clipsPerFile } = corpus
  if (from === 0) writeLines(join(folder, 'catalogue', 'en.jsonl'), 0, catalogueSize, makeEntry)
  for (let first = from; first < to; first += clipsPerFile) {
    const path = join(folder, 'clips', String(Math.floor(first / 1_000)), `${first}.jsonl`)
    writeLines(path, first, Math.min(first + clipsPerFile, to), (i) => makeClip(i, corpus))
  }
}

function writeLines(path: string, from: number, to: number, lineAt: (i: number) => object): void {
  mkdirSync(dirname(path), { recursive: true })
  const lines = Array.from({ length: to - from }, (_, i) => `${JSON.stringify(lineAt(from + i))}\n`)
  writeFileSync(path, lines.join(''))
}

function makeEntry(i: number) {
  const word = wordAt(i)
  const meanings = { en: `what ${word} means`, ...(i % 3 === 0 && { es: `lo que es ${word}` }) }
  return { wordId: i + 1, word, level: levels[i % levels.length], meanings, forms: [`${word}z`] }
}

export function videoIdOf(i: number): string {
  return `v${i.toString(36).padStart(10, '0')}`
}

const cueS = 3

/** Returns a clip whose words follow Zipf's law. Every other clip has word timings. */
function makeClip(i: number, { vocabularySize, cuesPerClip, wordsPerCue }: SeededCorpus) {
  const random = seededRandom(i + 1)
  const pickWord = () => wordAt(Math.floor(vocabularySize ** random()) - 1)
  const cueAt = (tStart: number) => {
    const texts = Array.from({ length: wordsPerCue }, pickWord)
    const stepS = (cueS - 0.2) / wordsPerCue
    const words = texts.map((text, w) => {
      return { text, tStart: roundTime(tStart + w * stepS), tEnd: roundTime(tStart + (w + 1) * stepS) }
    })
    const cue = { tStart, tEnd: roundTime(tStart + cueS - 0.2), text: `${texts.join(' ')}.` }
    return i % 2 === 0 ? { ...cue, words } : cue
  }
  return {
    videoId: videoIdOf(i),
    title: `A short clip about ${pickWord()} and ${pickWord()}`,
    language: 'en',
    channel: { id: `UC${i % 997}`, name: `Channel ${i % 997}` },
    level: levels[Math.floor(random() * levels.length)],
    durationS: cuesPerClip * cueS,
    cues: Array.from({ length: cuesPerClip }, (_, c) => cueAt(c * cueS)),
  }
}
